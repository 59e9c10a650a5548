import { Notice } from "~/ui/notice.tsx";
import type { MarkedChange } from "../differences.server.ts";

type Props = {
  changes: MarkedChange[];
  /** Where a field is edited. */
  linkOf?: (field: string) => string;
};

/** What is new is marked in what would be saved, and what goes away. */
export function MarkedChanges({ changes, linkOf }: Props) {
  return (
    <ul className="marked-changes">
      {changes.map(({ field, label, pieces, problem, note }) => (
        <li key={field}>
          <h2>{linkOf ? <a href={linkOf(field)}>{label}</a> : label}</h2>
          {problem && <Notice tone="destructive">{problem}</Notice>}
          {note && <Notice tone="warning">{note}</Notice>}
          <p className="marked-change">
            {pieces.map(({ kind, text }, at) => {
              const key = `${at} ${kind}`;
              if (kind === "same") return <span key={key}>{text}</span>;
              const Mark = kind === "new" ? "ins" : "del";
              return <Mark key={key}>{text}</Mark>;
            })}
          </p>
        </li>
      ))}
    </ul>
  );
}
