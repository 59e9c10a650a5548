import { Download } from "lucide";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { RowButton } from "~/ui/list-tools.tsx";
import type { QuietStudents as List } from "../care.server.ts";

/** Who asked the coach to write, and has been quiet. */
export function CareList({ students, hasMore }: List) {
  return (
    <>
      <p className="figures-about">
        They asked for it in their settings, and have been quiet for three weeks. It is you who
        writes: the site sends nothing.
      </p>
      <ul className="admin-rows">
        {students.map(({ id, name, email, since }) => (
          <li key={id}>
            <span className="two-lines min-w-0 wrap-anywhere">
              <a href={`/admin/students/${id}`}>{name}</a>
              <span className="person-email">
                <a href={`mailto:${email}`}>{email}</a>, quiet since {since}
              </span>
            </span>
            <RowButton
              id={id}
              value="written"
              variant="outline"
              size="sm"
              aria-label={`I have written to ${name}`}
            >
              I have written
            </RowButton>
          </li>
        ))}
      </ul>
      <p className="figures-more">
        {hasMore && <span className="figures-about">There are more: they follow.</span>}
        <ButtonLink variant="ghost" size="sm" download href="/admin/export/care-list">
          <Icon of={Download} /> Export as CSV
        </ButtonLink>
      </p>
    </>
  );
}
