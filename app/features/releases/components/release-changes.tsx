import { Form } from "react-router";
import { MarkedChanges } from "~/features/versions/components/marked-changes.tsx";
import { Button } from "~/ui/button.tsx";
import type { describeChanges } from "../releases.server.ts";

type Props = {
  changes: Awaited<ReturnType<typeof describeChanges>>;
  /** Something can still be taken out of it. */
  isOpen: boolean;
};

/** What a release changes, by page and course. */
export function ReleaseChanges({ changes, isOpen }: Props) {
  return (
    <ul className="release-changes">
      {changes.map(({ subject, label, fields }) => (
        <li key={subject}>
          <h2>{label}</h2>
          <MarkedChanges changes={fields} />
          {isOpen && (
            <Form method="post">
              <input type="hidden" name="subject" value={subject} />
              <Button type="submit" name="intent" value="remove" variant="ghost" size="sm">
                Take out
                <span className="sr-only">{`: ${label}`}</span>
              </Button>
            </Form>
          )}
        </li>
      ))}
    </ul>
  );
}
