import type { ReactNode } from "react";
import type { NearHelp } from "../help.server.ts";
import { smsOf, telOf } from "../rules.ts";

type Line = NearHelp["lines"][number];
type Props<L extends Line> = {
  emergency: readonly string[];
  lines: readonly L[];
  /** What else stands under a line. */
  more?: (line: L) => ReactNode;
};

/** A country's numbers, as links that a phone dials: the emergency number first. */
export function CountryLines<L extends Line>({ emergency, lines, more }: Props<L>) {
  return (
    <ul className="help-lines">
      <li>
        <span className="help-numbers">
          {emergency.map((number) => (
            <a key={number} href={telOf(number)}>
              {number}
            </a>
          ))}
        </span>
        <span>Emergency number</span>
      </li>
      {lines.map((line) => (
        <li key={`${line.name} ${line.call ?? line.text?.to}`}>
          <span className="help-numbers">
            {line.call && <a href={telOf(line.call)}>{line.call}</a>}
            {line.text && <a href={smsOf(line.text.to)}>{textTo(line.text)}</a>}
          </span>
          <span>
            {line.name}
            {/[?.]$/.test(line.name) ? "" : "."} {line.hours}.{more?.(line)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const textTo = ({ to, word }: NonNullable<Line["text"]>) =>
  word ? `Text ${word} to ${to}` : `Text ${to}`;
