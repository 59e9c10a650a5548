import {
  type Content,
  type Field,
  type ListField,
  type PageKind,
  pageFields,
  type Site,
} from "../../../content/fields.ts";
import { escapeHtml } from "../../platform/utils/html.ts";
import type { FieldValue } from "./schema.ts";

const braces = /\{(\w+)\}/g;
/** The description of a picture is in its tag. */
const tagOrBraces = /<(?:"[^"]*"|[^">])*>|\{\w+\}/g;

/** Puts the names in the place of `{coach}`, `{brand}` and `{email}`, in words as they are shown. */
export function named(kind: Field["kind"], shown: string, site: Site): string {
  const { name: brand, coachName: coach, email } = site;
  const names = Object.entries({ brand, coach, email });
  const words = new Map(names.map(([name, of]) => [name, kind === "text" ? escapeHtml(of) : of]));
  const put = (text: string) =>
    text.replaceAll(braces, (all, name: string) => words.get(name) ?? all);
  if (kind !== "text") return put(shown);
  return shown.replaceAll(tagOrBraces, (part) =>
    part === "{email}"
      ? put('<a href="mailto:{email}" rel="noopener noreferrer">{email}</a>')
      : put(part),
  );
}

/** {@link named} in one place of a page. */
export function namedPlace(
  place: Field | ListField,
  shown: FieldValue | undefined,
  site: Site,
): FieldValue {
  if (place.kind !== "list") return named(place.kind, typeof shown === "string" ? shown : "", site);
  const items = typeof shown === "object" ? shown : [];
  return items.map((item) =>
    Object.fromEntries(
      Object.entries(place.of).map(([part, { kind }]) => [
        part,
        named(kind, item[part] ?? "", site),
      ]),
    ),
  );
}

/** {@link named} in a whole page. */
export const withNames = (kind: PageKind, shown: Content, site: Site): Content =>
  Object.fromEntries(
    Object.entries<Field | ListField>(pageFields[kind]).map(([name, place]) => [
      name,
      namedPlace(place, shown[name], site),
    ]),
  );
