import { helpNow, writeToMe } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import type { NearHelp } from "../help.server.ts";
import { CountryLines } from "./country-lines.tsx";

type Props = { help: NearHelp | null; className: string };

/** The numbers of where a student is, within the page: they open without a connection. */
export function HelpNow({ help, className }: Props) {
  const site = useSite();
  const { crisisName: name, crisisAddress: href } = site;
  return (
    <details className={`help-now ${className}`} suppressHydrationWarning>
      <summary>{helpNow.label}</summary>
      {help ? (
        <>
          <p>If you are in danger or may hurt yourself, in {help.name}:</p>
          <CountryLines {...help} />
        </>
      ) : (
        <p>Call your local emergency number, or a crisis line.</p>
      )}
      <p>
        <a href={helpNow.href}>{help ? "Another country" : "Numbers by country"}</a>, or{" "}
        <a href={href} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
        . For anything else, <a href={writeToMe(site).href}>write to me</a>.
      </p>
    </details>
  );
}
