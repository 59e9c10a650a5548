import { Notice } from "~/ui/notice.tsx";
import type { MarkedChange } from "../differences.server.ts";

/** What is new is marked in what would be published, and what goes away. */
export function PageChanges({ page, changes }: { page: string; changes: MarkedChange[] }) {
  return (
    <ul className="page-changes">
      {changes.map(({ field, label, pieces, problem }) => (
        <li key={field}>
          <h2>
            <a href={`/admin/pages/${page}?field=${field}#${field}`}>{label}</a>
          </h2>
          {problem && <Notice tone="destructive">{problem}</Notice>}
          <p className="page-change">
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
