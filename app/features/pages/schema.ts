import { z } from "zod";

/** What stands in one place of a page: a text, or the items of a list. */
export const fieldValue = z.union([
  z.string().max(200_000),
  z.array(z.record(z.string().max(40), z.string().max(100_000))).max(100),
]);
export type FieldValue = z.infer<typeof fieldValue>;

/** A draft of one place, as its editor knows it. */
export type PageDraft = {
  id: string;
  revision: number;
  value: FieldValue;
  /** When it was last changed, in the reader's zone, and by whom. */
  when: string;
  who: string;
};

/** What an editor of a page starts from. */
export type PageEditing = {
  /** 'home', 'course:ID'. */
  page: string;
  kind: string;
  label: string;
  userId: string;
  /** Of each place, what is public, as it was written. */
  published: Record<string, FieldValue>;
  drafts: Record<string, PageDraft>;
};

/** A page as an admin sees it: with a link that opens it for editing, or opened. */
export type EditablePage =
  | { isOpen: false }
  | { isOpen: true; page: PageEditing; site: PageEditing };

/** A place of a page; `item` is that of a list, from 0. */
export type PagePlace = { of: "page" | "site"; field: string; item?: number | undefined };

/** One place in which a page and its drafts differ. `problem` keeps it from being published. */
export type PageChange = {
  field: string;
  label: string;
  before: FieldValue;
  after: FieldValue;
  problem: string | null;
};

/** What publishing would change, as it was shown: the public version and each draft. */
export type ShownState = {
  number: number;
  drafts: { field: string; id: string; revision: number }[];
};
