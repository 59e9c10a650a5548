import { Pencil as PencilDrawing } from "lucide";
import { lazy, type MouseEvent, Suspense, useCallback, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { placeLabel } from "../rules.ts";
import type { EditablePage, FieldValue, PagePlace } from "../schema.ts";
import { provideEditor } from "./editor-store.ts";

const FieldEditor = lazy(() => import("./field-editor.tsx"));

type Edit = Extract<EditablePage, { isOpen: true }>;
type Opened = PagePlace & { host: HTMLElement };
type Typed = Record<PagePlace["of"], Record<string, FieldValue>>;

type PencilLinkProps = PagePlace & {
  edit: Edit;
  opened: Opened | null;
  toggle: (place: PagePlace, pencil: HTMLElement) => void;
};

const keyOf = ({ of, field, item }: PagePlace) => `${of}:${field}:${item ?? ""}`;

/** What a page gets when an admin edits it: a pencil at each text opens it below, in its place, and
 * the page shows what is typed. */
export default function PageEditorTools({ edit }: { edit: Edit }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [typed, setTyped] = useState<Typed>({ page: {}, site: {} });

  const close = useCallback(() => {
    setOpened((now) => {
      now?.host.remove();
      return null;
    });
  }, []);

  const toggle = useCallback((place: PagePlace, pencil: HTMLElement) => {
    setOpened((now) => {
      now?.host.remove();
      if (now && keyOf(now) === keyOf(place)) return null;
      const host = document.createElement("div");
      host.className = "page-editor-place";
      // React does not move what stands around it here: the editor is a sibling of its text.
      (pencil.closest("h1, h2, h3, p, dl, .prose, nav ul") ?? pencil).after(host);
      return { ...place, host };
    });
  }, []);

  useEffect(() => {
    provideEditor({
      pencil: (place) => <PencilLink {...place} {...{ edit, opened, toggle }} />,
      current: (words, of) => ({ ...words, ...typed[of] }),
    });
  }, [edit, opened, toggle, typed]);
  useEffect(() => () => provideEditor(null), []);

  return (
    <>
      <EditBar edit={edit} />
      {opened &&
        createPortal(
          <Suspense fallback={<p className="page-editor">Opening...</p>}>
            <FieldEditor
              key={keyOf(opened)}
              page={edit[opened.of]}
              field={opened.field}
              item={opened.item}
              onShown={(shown) =>
                setTyped((now) => ({
                  ...now,
                  [opened.of]: { ...now[opened.of], [opened.field]: shown },
                }))
              }
              onClose={close}
            />
          </Suspense>,
          opened.host,
        )}
    </>
  );
}

function PencilLink({ edit, opened, toggle, ...place }: PencilLinkProps) {
  const { page, kind } = edit[place.of];
  const isOpen = opened !== null && keyOf(opened) === keyOf(place);
  function press(event: MouseEvent<HTMLAnchorElement>) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    toggle(place, event.currentTarget);
  }
  return (
    <a
      className="page-pencil"
      href={`/admin/pages/${page}?field=${place.field}`}
      aria-label={`Edit: ${placeLabel(kind, place)}`}
      aria-expanded={isOpen}
      onClick={press}
    >
      <Icon of={PencilDrawing} />
    </a>
  );
}

/** At the lower edge of the window: what is edited, and the ways on. */
function EditBar({ edit: { page } }: { edit: Edit }) {
  return (
    <aside aria-label="Editing" className="page-edit-bar">
      <p>
        <strong>{page.label}</strong>, with your drafts
      </p>
      <ButtonLink href={`/admin/pages/${page.page}`} variant="ghost" size="sm">
        All texts
      </ButtonLink>
      <ButtonLink href={`/admin/pages/${page.page}/publish`} size="sm">
        Publish...
      </ButtonLink>
      <ButtonLink href="?" variant="outline" size="sm">
        Done
      </ButtonLink>
    </aside>
  );
}
