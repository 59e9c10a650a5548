import { Page } from "~/ui/page.tsx";
import { helpNow } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";
import type { CountryHelp } from "../help.server.ts";
import { anchorOf } from "../rules.ts";
import { CountryLines } from "./country-lines.tsx";

type Props = { near: CountryHelp | null; countries: readonly CountryHelp[] };

/** Where people in danger can turn: their country first where it is known, then all of them. */
export function HelpPage({ near, countries }: Props) {
  return (
    <Page>
      <article
        aria-labelledby="title"
        className="opening grid grid-cols-1 pb-section lg:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] lg:gap-x-[clamp(2rem,6vw,6rem)]"
      >
        <header className="max-w-text lg:col-start-2">
          <h1 id="title">{helpNow.label}</h1>
          <p className="mt-6 text-lg">
            If you are in danger, or think you may hurt yourself, please call now. You don’t have to
            know what to say.
          </p>
          {near ? (
            <section
              aria-labelledby="near"
              className="mt-8 rounded-card border border-line bg-surface p-6"
            >
              <h2 id="near" className="text-xl">
                {near.name}
              </h2>
              <Lines country={near} />
              <p className="mt-4 text-sm text-ink-soft">
                This is where your time zone says that you are. If you are elsewhere, choose{" "}
                <a href="#countries">another country</a>, or look at <FindAHelpline />.
              </p>
            </section>
          ) : (
            <p className="mt-4 text-lg">
              Call the emergency number of where you are, or a line of{" "}
              <a href="#countries">your country</a>. If it isn’t here, <FindAHelpline /> has more.
            </p>
          )}
        </header>
        <nav id="countries" aria-label="Countries" className="contents-list" tabIndex={-1}>
          <p className="contents-title">{near ? "Another country" : "Your country"}</p>
          <details open={!near} suppressHydrationWarning>
            <summary className="accordion-line">
              {near ? "Another country" : "Your country"}
              <span className="accordion-sign" aria-hidden="true" />
            </summary>
            <ul className="columns-2 gap-x-6 lg:columns-1">
              {countries.map(({ code, name }) => (
                <li key={code}>
                  <a href={`#${anchorOf(code)}`}>{name}</a>
                </li>
              ))}
            </ul>
          </details>
        </nav>
        <div className="max-w-text lg:col-start-2 lg:row-start-2 lg:mt-16">
          {countries.map((country) => (
            <section key={country.code} className="mb-13">
              <h2 id={anchorOf(country.code)} className="text-xl font-[450]">
                {country.name}
              </h2>
              <Lines country={country} />
            </section>
          ))}
          <p className="text-ink-soft">
            Your country is not here? <FindAHelpline /> has lines of many more. These pages don’t
            count or record who looks at them.
          </p>
        </div>
      </article>
    </Page>
  );
}

function Lines({ country: { emergency, lines, checked } }: { country: CountryHelp }) {
  const hosts = new Map(
    lines.flatMap(({ sources }) =>
      sources.map(({ address }) => [new URL(address).hostname.replace(/^www\./, ""), address]),
    ),
  );
  return (
    <>
      <CountryLines
        emergency={emergency}
        lines={lines}
        more={({ languages, free, note }) => (
          <span className="text-ink-soft">
            {` ${[free && "Free", languages.join(", "), note].filter(Boolean).join(". ")}.`}
          </span>
        )}
      />
      <p className="mt-3 text-sm text-ink-soft">
        Checked on {checkedOn.format(new Date(checked))}:{" "}
        {[...hosts].map(([host, address], at) => (
          <span key={host}>
            {at > 0 && ", "}
            <a href={address} rel="noopener noreferrer">
              {host}
            </a>
          </span>
        ))}
      </p>
    </>
  );
}

const checkedOn = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });

function FindAHelpline() {
  const site = useSite();
  return (
    <a href={site.crisisAddress} rel="noopener noreferrer">
      {site.crisisName}
    </a>
  );
}
