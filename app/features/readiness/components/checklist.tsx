import { ArrowRight, CircleAlert, Eye, Check as Tick } from "lucide";
import { Icon } from "~/ui/icon.tsx";
import { type Check, type CheckState, checkGroups, countStates } from "../rules.ts";

const marks = {
  missing: { icon: CircleAlert, words: "Missing" },
  look: { icon: Eye, words: "Worth a look" },
  good: { icon: Tick, words: "Done" },
} as const satisfies Record<CheckState, unknown>;

const worst = { missing: 0, look: 1, good: 2 };

/** What is left to do before opening, by group; what is done is folded away below it. */
export function Checklist({ checks }: { checks: Check[] }) {
  return (
    <div className="checklist">
      {Object.entries(checkGroups).map(([group, title]) => {
        const all = checks.filter((check) => check.group === group);
        const left = all
          .filter(({ state }) => state !== "good")
          .sort((one, other) => worst[one.state] - worst[other.state]);
        const done = all.filter(({ state }) => state === "good");
        return (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>
              {title}
              <span className="checklist-count">{`${done.length} of ${all.length} done`}</span>
            </h2>
            {left.length > 0 && (
              <ul>
                {left.map((check) => (
                  <Line key={check.id} {...check} />
                ))}
              </ul>
            )}
            {done.length > 0 && (
              <details className="checklist-done">
                <summary>
                  {left.length === 0 ? "All of it is done" : `Show what is done (${done.length})`}
                  <span className="sr-only">{`: ${title}`}</span>
                </summary>
                <ul>
                  {done.map((check) => (
                    <Line key={check.id} {...check} />
                  ))}
                </ul>
              </details>
            )}
          </section>
        );
      })}
    </div>
  );
}

function Line({ state, title, text, href }: Check) {
  const { icon, words } = marks[state];
  return (
    <li className={`checklist-line checklist-${state}`}>
      <Icon of={icon} />
      <div className="min-w-0 wrap-anywhere">
        <h3>
          <a href={href}>{title}</a>
          <span className="checklist-state">{words}</span>
        </h3>
        <p>{text}</p>
      </div>
    </li>
  );
}

/** 'Seven things are missing, and four are worth a look.' */
export function readinessWords(checks: Check[]): string {
  const { missing, look } = countStates(checks);
  const looks = `${look} ${look === 1 ? "is" : "are"} worth a look`;
  if (missing === 0)
    return look === 0 ? "Nothing is missing. You can open." : `Nothing is missing; ${looks}.`;
  const words = missing === 1 ? "One thing is missing" : `${missing} things are missing`;
  return look === 0 ? `${words}.` : `${words}, ${looks}.`;
}

/** On the overview, while something is missing. */
export function MissingLine({ missing, href }: { missing: number; href: string }) {
  return (
    <p className="missing-line">
      <span>
        {missing === 1
          ? "One thing is missing before you open."
          : `${missing} things are missing before you open.`}
      </span>
      <a href={href}>
        See what <Icon of={ArrowRight} />
      </a>
    </p>
  );
}
