import type { VisitSums as Visits } from "../visits.server.ts";
import { WeekFigures } from "./week-figures.tsx";

/** Visits of the last weeks: as a line, by page, and by the site that linked here. */
export function VisitFigures({ figure, weeks, pages, hosts }: Visits) {
  return (
    <div className="admin-desk">
      <section className="admin-part" aria-labelledby="all-visits">
        <h2 id="all-visits">All of them</h2>
        <WeekFigures weeks={weeks} figures={[figure]} exportPath="/admin/export/visits" />
      </section>
      <div className="admin-columns">
        <section className="admin-part" aria-labelledby="visited-pages">
          <h2 id="visited-pages">By page</h2>
          {pages.length === 0 ? (
            <p className="text-ink-soft">No one has come yet.</p>
          ) : (
            <Counted
              heads={["Page", "Came to it", "Opened, at least"]}
              rows={pages.map(({ page, arrivals, openings }) => [page, arrivals, openings])}
            />
          )}
        </section>
        <section className="admin-part" aria-labelledby="visit-hosts">
          <h2 id="visit-hosts">Where they came from</h2>
          {hosts.length === 0 ? (
            <p className="text-ink-soft">No other site has sent anybody yet.</p>
          ) : (
            <Counted
              heads={["Site that linked here", "Visits"]}
              rows={hosts.map(({ host, arrivals }) => [host, arrivals])}
            />
          )}
        </section>
      </div>
      <section className="admin-part" aria-labelledby="how-counted">
        <h2 id="how-counted">How it is counted</h2>
        <p className="max-w-[42.5rem]">
          As a shopkeeper counts who comes in. Somebody who comes from elsewhere is a visit, also a
          second time; no one is recognized, and nothing about anybody is stored. Search engines and
          other programs are left out as far as they say what they are, and so are you while you are
          signed in. A page that a browser loads in advance and then shows is not counted, because
          browsers do not tell: that is why pages were opened at least as often as it says. If the
          site stops unexpectedly, the last minute is lost.
        </p>
      </section>
    </div>
  );
}

function Counted({ heads, rows }: { heads: string[]; rows: (string | number)[][] }) {
  return (
    <div className="wide-table">
      <table className="counted-table">
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...numbers]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {numbers.map((number, at) => (
                <td key={heads[at + 1]}>{number.toLocaleString("en-US")}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
