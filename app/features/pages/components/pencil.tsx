import { type ComponentType, createContext, use } from "react";
import type { PagePlace } from "../schema.ts";

/** Only where an admin edits the page: the editor comes with it, and nobody else loads it. */
export type PageEditor = {
  Pencil: ComponentType<PagePlace>;
  /** The words with what is being typed. */
  current<Words extends object>(words: Words, of: PagePlace["of"]): Words;
};

export const PageEditorContext = createContext<PageEditor | null>(null);

type PencilProps = { at: string; item?: number; of?: PagePlace["of"] };

/** Opens the text before it for editing; for visitors it is nothing at all. */
export function Pencil({ at, item, of = "page" }: PencilProps) {
  const editor = use(PageEditorContext);
  return editor && <editor.Pencil of={of} field={at} item={item} />;
}

/** The words of a page; while an admin edits it, with what is being typed. */
export function useWords<Words extends object>(words: Words): Words {
  return use(PageEditorContext)?.current(words, "page") ?? words;
}
