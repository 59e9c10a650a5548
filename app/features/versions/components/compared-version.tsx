import type { ReactNode } from "react";
import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import type { MarkedChange } from "../differences.server.ts";
import { MarkedChanges } from "./marked-changes.tsx";

type Props = {
  title: string;
  /** When it was saved and by whom. */
  saved?: string | undefined;
  changes: MarkedChange[];
  linkOf?: (field: string) => string;
  /** Shown where nothing differs. */
  same: string;
  lead: string;
  /** What the form sends: the version, and what it was compared with. */
  fields: Record<string, string | number | boolean>;
  button: ReactNode;
};

/** How a version differs from what is there now, with the button that brings it back. */
export function ComparedVersion({ title, saved, changes, linkOf, same, lead, ...form }: Props) {
  return (
    <section className="compared-version" aria-labelledby="compared">
      <h2 id="compared">{title}</h2>
      {saved && <p className="compared-saved">{saved}</p>}
      {changes.length === 0 ? (
        <p>{same}</p>
      ) : (
        <>
          <p>{lead}</p>
          <MarkedChanges changes={changes} {...(linkOf && { linkOf })} />
          <Form method="post">
            {Object.entries(form.fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={String(value)} />
            ))}
            <Button type="submit">{form.button}</Button>
          </Form>
        </>
      )}
    </section>
  );
}
