import { type Field, type ListField, type PageKind, pageFields } from "../../../content/fields.ts";
import type { FieldValue, ShownState } from "./schema.ts";

/** Before the id of a course in the name of its page. */
export const coursePrefix = "course:";

/** The places of a page, by its kind; none of a kind that this version does not know. */
export const fieldsOf = (kind: string): Readonly<Record<string, Field | ListField>> =>
  Object.hasOwn(pageFields, kind) ? pageFields[kind as PageKind] : {};

/** What a place is called: 'Heading', 'Testimonials, testimonial 2'. */
export function placeLabel(
  kind: string,
  { field, item }: { field: string; item?: number | undefined },
): string {
  const place = fieldsOf(kind)[field];
  if (!place) return field;
  if (item === undefined || place.kind !== "list") return place.label;
  return `${place.one} ${item + 1}`;
}

/** Where a place is edited in the admin area. */
export const fieldLink = (page: string, field: string) =>
  `/admin/pages/${page}?field=${field}#${field}`;

/** What was typed for a place, from the fields of its form: 'value', or '0.title' for lists. */
export function typedValue(
  kind: string,
  field: string,
  fields: Record<string, string | undefined>,
): FieldValue {
  const place = fieldsOf(kind)[field];
  if (place?.kind !== "list") return fields.value ?? "";
  const items: Record<string, string>[] = [];
  for (const [name, text = ""] of Object.entries(fields)) {
    const [, at, part = ""] = /^(\d{1,2})\.(\w+)$/.exec(name) ?? [];
    if (at !== undefined && Object.hasOwn(place.of, part))
      items[Number(at)] = { ...items[Number(at)], [part]: text };
  }
  return items.filter(Boolean);
}

/** What was shown before publishing, as a form sends it: `3 heading:ID:7 lead:ID:2`. */
export const shownText = ({ number, drafts }: ShownState): string =>
  [number, ...drafts.map(({ field, id, revision }) => `${field}:${id}:${revision}`)].join(" ");

/** Reads {@link shownText}; null for anything else. */
export function readShown(text: string | undefined): ShownState | null {
  const [number = "", ...places] = (text ?? "").slice(0, 20_000).split(" ");
  if (!/^\d{1,9}$/.test(number)) return null;
  const drafts = places.map((place) => /^(\w+):([\da-f-]{36}):(\d{1,9})$/.exec(place));
  if (!drafts.every((draft) => draft !== null)) return null;
  return {
    number: Number(number),
    drafts: drafts.map(([, field = "", id = "", revision]) => ({
      ...{ field, id },
      revision: Number(revision),
    })),
  };
}

/** What versions and drafts know a page by: 'page:home', 'page:course:ID'. */
export const pageSubject = (name: string) => `page:${name}`;

/** Of a page's subject, or of an address that the first edition has a course's page for. */
export function kindOf(subject: string): PageKind {
  if (!subject.startsWith("page:")) return "course";
  const name = subject.slice("page:".length);
  return (name.startsWith(coursePrefix) ? "course" : name) as PageKind;
}
