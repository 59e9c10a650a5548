import {
  type ComponentType,
  type ReactNode,
  useEffect,
  useState,
  useSyncExternalStore,
} from "react";
import type { EditablePage, PagePlace } from "../schema.ts";

/** What the editor of a page gives to its texts. */
export type PageEditor = {
  pencil(place: PagePlace): ReactNode;
  /** The words with what is being typed. */
  current<Words extends object>(words: Words, of: PagePlace["of"]): Words;
};

// In the browser of an admin who edits a page, and nowhere else: not on the server.
let editor: PageEditor | null = null;
const listeners = new Set<() => void>();

export function provideEditor(next: PageEditor | null): void {
  editor = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const useEditor = () =>
  useSyncExternalStore(
    subscribe,
    () => editor,
    () => null,
  );

type PencilProps = { at: string; item?: number | undefined; of?: PagePlace["of"] };

/** Opens the text before it for editing; for visitors it is nothing at all. */
export function Pencil({ at, item, of = "page" }: PencilProps) {
  const found = useEditor();
  return found?.pencil({ of, field: at, item });
}

/** The words of a page; while an admin edits it, with what is being typed. */
export function useWords<Words extends object>(words: Words, of: PagePlace["of"] = "page"): Words {
  return useEditor()?.current(words, of) ?? words;
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
