import { type ComponentType, useEffect, useState } from "react";
import type { EditablePage, PagePlace } from "../schema.ts";
import { usePageEditor } from "./editor-store.ts";

type PencilProps = { at: string; item?: number | undefined; of?: PagePlace["of"] };

/** Opens the text before it for editing; for visitors it is nothing at all. */
export function Pencil({ at, item, of = "page" }: PencilProps) {
  const found = usePageEditor();
  return found?.pencil({ of, field: at, item });
}

/** The words of a page; while an admin edits it, with what is being typed. */
export function useWords<Words extends object>(words: Words, of: PagePlace["of"] = "page"): Words {
  return usePageEditor()?.current(words, of) ?? words;
}

type EditorProps = { edit: Extract<EditablePage, { isOpen: true }> };

/** Loads the editor, which nobody else needs, once the page is there. */
export function PageEditorLoader({ edit }: EditorProps) {
  const [Editor, setEditor] = useState<ComponentType<EditorProps> | null>(null);
  useEffect(() => {
    import("./page-editor.tsx").then(
      (module) => setEditor(() => module.default),
      () => {},
    );
  }, []);
  return Editor && <Editor edit={edit} />;
}
