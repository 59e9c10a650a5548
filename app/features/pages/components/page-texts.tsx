import type { ReactNode } from "react";
import { fieldsOf } from "../rules.ts";
import type { FieldValue, PageEditing } from "../schema.ts";

type Props = { page: PageEditing; opened: string | null; children: ReactNode };

/** All texts of a page, each with a link that opens it; the opened one shows its editor. */
export function PageTexts({ page, opened, children }: Props) {
  return (
    <ul className="page-texts">
      {Object.entries(fieldsOf(page.kind)).map(([name, { label }]) => {
        const draft = page.drafts[name];
        const value = draft?.value ?? page.published[name] ?? "";
        return (
          <li key={name} id={name}>
            {name === opened ? (
              children
            ) : (
              <a href={`/admin/pages/${page.page}?field=${name}#${name}`} className="page-text">
                <span className="page-text-label">
                  {label}
                  {draft && <span className="page-text-draft">Draft</span>}
                </span>
                <span className="page-text-words">{beginning(value) || "Nothing yet"}</span>
              </a>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function beginning(value: FieldValue): string {
  if (typeof value === "string") return value.slice(0, 200);
  return value.map((item) => Object.values(item)[0] ?? "").join(" · ");
}
