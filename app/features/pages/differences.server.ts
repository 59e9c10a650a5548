import { type MarkedChange, wordDifferences } from "~/features/versions/differences.server.ts";
import type { Field, ListField } from "~content/fields.ts";
import { fieldsOf } from "./rules.ts";
import type { FieldValue, PageChange } from "./schema.ts";

/** A change with the words marked that are new and those that go. */
export function marked(kind: string, { before, after, ...change }: PageChange): MarkedChange {
  const place = fieldsOf(kind)[change.field];
  const [old, now] = [before, after].map((value) => inWords(place, value));
  return { ...change, pieces: wordDifferences(old ?? "", now ?? "") };
}

/** A list as lines: each item with the names of its parts. */
function inWords(place: Field | ListField | undefined, value: FieldValue): string {
  if (typeof value === "string") return value;
  const labels = place?.kind === "list" ? place.of : {};
  return value
    .map((item) =>
      Object.entries(item)
        .filter(([, text]) => text !== "")
        .map(([part, text]) => `${labels[part]?.label ?? part}: ${text}`)
        .join("\n"),
    )
    .join("\n\n");
}
