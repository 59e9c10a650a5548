import { Download } from "lucide";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import type { WeekSeries as Weeks } from "../weeks.server.ts";

/** This week at a glance, each figure with its last weeks as a line, and a table behind them all. */
export function WeekFigures({ weeks, figures, exportPath }: Weeks & { exportPath: string }) {
  const [first] = weeks;
  return (
    <>
      <p className="figures-about">
        Each line begins in the week from {first}. The dot is this week, which is not over.
      </p>
      <ul className="figures">
        {figures.map((figure) => (
          <li key={figure.id} className="figure">
            <h3>{figure.href ? <a href={figure.href}>{figure.name}</a> : figure.name}</h3>
            <p className="figure-now">
              <strong>{figure.words.at(-1)}</strong> <span>{figure.words.at(-2)} last week</span>
            </p>
            <WeekLine {...figure} />
          </li>
        ))}
      </ul>
      <div className="figures-more">
        <details className="figures-table" suppressHydrationWarning>
          <summary>All {weeks.length} weeks as a table</summary>
          <WeekTable weeks={weeks} figures={figures} />
        </details>
        <ButtonLink variant="ghost" size="sm" download href={exportPath}>
          <Icon of={Download} /> Export as CSV
        </ButtonLink>
      </div>
    </>
  );
}

function WeekLine({ chart, words, summary }: Weeks["figures"][number]) {
  const { width, height, baseline, finished, unfinished, dot, peak } = chart;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className="week-line" role="img" aria-label={summary}>
      <path className="week-line-base" d={`M0,${baseline}H${width}`} />
      <path className="week-line-finished" d={finished} />
      <path className="week-line-unfinished" d={unfinished} />
      <circle cx={dot.x} cy={dot.y} r="4.5" />
      {peak && (
        <text x={peak.x} y={peak.y - 8} textAnchor={peak.anchor}>
          {words[peak.at]}
        </text>
      )}
    </svg>
  );
}

function WeekTable({ weeks, figures }: Weeks) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="wide-table" aria-label="Figures of each week" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Week from</th>
            {figures.map(({ id, name }) => (
              <th key={id} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week, at) => (
            <tr key={week}>
              <th scope="row">{at === weeks.length - 1 ? `${week}, not over` : week}</th>
              {figures.map(({ id, words }) => (
                <td key={id}>{words[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
