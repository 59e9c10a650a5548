import {
  type Content,
  type Field,
  type ListField,
  type PageKind,
  pageFields,
  type Site,
} from "../../../content/fields.ts";

/** Before the id of a course in the name of its page. */
export const coursePrefix = "course:";

/** What versions and drafts know a page by: 'page:home', 'page:course:ID'. */
export const pageSubject = (name: string) => `page:${name}`;

/** Of a page's subject, or of an address that the first edition has a course's page for. */
export function kindOf(subject: string): PageKind {
  if (!subject.startsWith("page:")) return "course";
  const name = subject.slice("page:".length);
  return (name.startsWith(coursePrefix) ? "course" : name) as PageKind;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** Puts the names in the place of `{coach}`, `{brand}` and `{email}`. */
export function withNames(kind: PageKind, shown: Content, site: Site): Content {
  const { name: brand, coachName: coach, email } = site;
  const plain: Record<string, string> = { brand, coach, email };
  const link = `<a href="mailto:${escapeHtml(email)}" rel="noopener noreferrer">${escapeHtml(email)}</a>`;
  const html: Record<string, string> = {
    brand: escapeHtml(brand),
    coach: escapeHtml(coach),
    email: link,
  };
  const named = (kind: string, value: string) =>
    value.replaceAll(
      /\{(\w+)\}/g,
      (all, name: string) => (kind === "text" ? html : plain)[name] ?? all,
    );
  return Object.fromEntries(
    Object.entries<Field | ListField>(pageFields[kind]).map(([name, field]) => {
      const value = shown[name] ?? (field.kind === "list" ? [] : "");
      if (typeof value === "string") return [name, named(field.kind, value)];
      const { of } = field as ListField;
      const items = value.map((item) =>
        Object.fromEntries(
          Object.entries(of).map(([part, { kind }]) => [part, named(kind, item[part] ?? "")]),
        ),
      );
      return [name, items];
    }),
  );
}
