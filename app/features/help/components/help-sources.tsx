import type { CountryHelp } from "../help.server.ts";
import { anchorOf } from "../rules.ts";

type Props = {
  due: readonly CountryHelp[];
  countries: readonly CountryHelp[];
  emergencySource: string;
};

/** The countries of /help with where their numbers are from, those that are due first. */
export function HelpSources({ due, countries, emergencySource }: Props) {
  const isDue = new Set(due.map(({ code }) => code));
  return (
    <>
      <p className="max-w-text">
        Open each source, compare the numbers, hours and languages, and dial a number where you are
        in doubt. Then correct them in the file <code>content/help/countries.json</code> and set{" "}
        <code>checked</code> to that day; the next start of the site shows them. The emergency
        numbers are from <a href={emergencySource}>Google’s libphonenumber</a>.
      </p>
      <ul className="admin-rows mt-6">
        {[...due, ...countries.filter(({ code }) => !isDue.has(code))].map((country) => (
          <li key={country.code}>
            <div className="min-w-0 wrap-anywhere">
              <h2 className="text-base">
                <a href={`/help#${anchorOf(country.code)}`}>{country.name}</a>
              </h2>
              {country.lines.map(({ name, call, text, sources }) => (
                <p key={`${name} ${call ?? text?.to}`} className="text-sm text-ink-soft">
                  {[call, text && `text ${text.to}`].filter(Boolean).join(", ")}, {name}:{" "}
                  {sources.map(({ address, dated }, at) => (
                    <span key={address}>
                      {at > 0 && ", "}
                      <a href={address} rel="noopener noreferrer">
                        {new URL(address).hostname}
                      </a>
                      {dated ? ` (${dated})` : " (no date)"}
                    </span>
                  ))}
                </p>
              ))}
            </div>
            <span
              className={isDue.has(country.code) ? "text-sm text-clay" : "text-sm text-ink-soft"}
            >
              {isDue.has(country.code) ? "Due: checked" : "Checked"} {country.checked}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
