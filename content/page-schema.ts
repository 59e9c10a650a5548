import { z } from "zod";
import {
  type Content,
  type ContentOf,
  type Field,
  type Fields,
  type ListField,
  type PageContent,
  type PageKind,
  pageFields,
} from "./fields.ts";

/** Whether it is a place of the time zones, like 'America/New_York'. */
function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return /^[A-Z]/.test(zone);
  } catch {
    return false;
  }
}

/** What stands in braces in a text is said once, among the words of every page. */
export const names = { brand: "name", coach: "coachName", email: "email" } as const;

/** A picture that was not uploaded here. Bounded, so that a text of nothing but brackets is read once. */
const elsewhere = /(?<!\\)!\[(?:[^[\]\\\n]|\\.){0,600}\]\((?!picture:)/;

/** What is wrong with the form of a value that is not empty, as a sentence; null where nothing is. */
const wrong: Record<Field["kind"], (value: string) => string | null> = {
  line: (value) =>
    /[\n\r]/.test(value) ? "This is one line: please take out the line break." : null,
  text: (value) =>
    /!\[\s*\](\(|\[)/.test(value)
      ? "A picture has no description. Say between its brackets what it shows: ![A lamp](…)."
      : elsewhere.test(value)
        ? "Only pictures that were uploaded here can be shown. The picture button above the text adds one."
        : null,
  address: (value) =>
    z.url({ protocol: /^https?$/ }).safeParse(value).success
      ? null
      : "This is not an address like https://example.com/page.",
  email: (value) =>
    z.email().safeParse(value).success
      ? null
      : "This is not an email address like you@example.com.",
  handle: (value) => (/^@\w+$/.test(value) ? null : "This is not a name like @name."),
  picture: (value) =>
    /^(\/(featured|pictures)\/[\w-]+\.svg|picture:[\da-f-]{36})$/.test(value)
      ? null
      : "Choose one of the pictures.",
  zone: (value) =>
    isTimeZone(value) ? null : "This is not a place of the time zones, like America/New_York.",
};

const leftOver = /\b(lorem ipsum|TODO|TBD|XXX+)\b/i;

/** What is wrong with what was written in one place, as a sentence; null where nothing is. */
export function problemOf(field: Field, value: string): string | null {
  if (value === "") return field.optional ? null : "Please write something here.";
  const tooLong = value.length - field.max;
  if (tooLong > 0)
    return `This is ${tooLong} ${tooLong === 1 ? "character" : "characters"} too long for its place.`;
  const [unknown] = [...value.matchAll(/\{(\w+)\}/g)].filter(([, name = ""]) => !(name in names));
  if (unknown) return `${unknown[0]} stands for nothing. There are {coach}, {brand} and {email}.`;
  const [placeholder] = leftOver.exec(value) ?? [];
  if (placeholder) return `“${placeholder}” looks like something that was still to be written.`;
  return wrong[field.kind](value);
}

const value = (field: Field) =>
  z
    .string()
    .default("")
    .transform((typed) => typed.replaceAll("\r\n", "\n").trim())
    .superRefine((typed, context) => {
      const message = problemOf(field, typed);
      if (message) context.addIssue({ code: "custom", message });
    });

const listOf = ({ of, one, min, max }: ListField) =>
  z
    .array(
      z.strictObject(
        Object.fromEntries(Object.entries(of).map(([key, field]) => [key, value(field)])),
      ),
    )
    .min(min, `There ${min === 1 ? "is" : "are"} at least ${min} here: please add a ${one}.`)
    .max(max, `There is room for ${max} here: please remove a ${one}.`)
    .default([]);

const contentOf = <F extends Fields>(fields: F) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        field.kind === "list" ? listOf(field) : value(field),
      ]),
    ),
  ) as unknown as z.ZodType<ContentOf<F>>;

const schemas = Object.fromEntries(
  Object.entries(pageFields).map(([kind, fields]) => [kind, contentOf(fields)]),
);

/** What a page of a kind must hold, field by field; the messages are sentences for the coach. */
export const contentSchema = <Kind extends PageKind>(kind: Kind) =>
  schemas[kind] as z.ZodType<PageContent<Kind>>;

const shapeOfPlace = ({ optional }: Field) => (optional ? z.string().default("") : z.string());

const shapeOf = (fields: Fields) =>
  z.object(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => {
        if (field.kind !== "list") return [name, shapeOfPlace(field)];
        const item = z.object(
          Object.fromEntries(
            Object.entries(field.of).map(([part, of]) => [part, shapeOfPlace(of)]),
          ),
        );
        const items = z.array(item).min(field.min);
        return [name, field.min === 0 ? items.default([]) : items];
      }),
    ),
  );

const shapes = Object.fromEntries(
  Object.entries(pageFields).map(([kind, fields]) => [kind, shapeOf(fields)]),
);

/** What a stored version must be to be shown: every place that a page needs. Its words are not judged
 * again: they could be published under the rules of their time. */
export const contentShape = (kind: PageKind) => shapes[kind] as unknown as z.ZodType<Content>;
