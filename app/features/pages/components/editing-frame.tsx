import { Pencil as PencilDrawing } from "lucide";
import {
  createContext,
  lazy,
  type MouseEvent,
  type ReactNode,
  Suspense,
  use,
  useMemo,
  useState,
} from "react";
import { createPortal } from "react-dom";
import { ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { SiteContext, useSite } from "~content/use-site.ts";
import { placeLabel } from "../rules.ts";
import type { EditablePage, FieldValue, PagePlace } from "../schema.ts";
import { type PageEditor, PageEditorContext } from "./pencil.tsx";

const FieldEditor = lazy(() => import("./field-editor.tsx"));

type Edit = Extract<EditablePage, { isOpen: true }>;
type Opened = PagePlace & { host: HTMLElement };
type Typed = Record<PagePlace["of"], Record<string, FieldValue>>;

type Opening = {
  edit: Edit;
  opened: Opened | null;
  toggle: (place: PagePlace, pencil: HTMLElement) => void;
};

const OpeningContext = createContext<Opening | null>(null);

const keyOf = ({ of, field, item }: PagePlace) => `${of}:${field}:${item ?? ""}`;

/** Around a page that an admin edits: a pencil at each text opens it below, in its place. */
export default function EditingFrame({ edit, children }: { edit: Edit; children: ReactNode }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const [typed, setTyped] = useState<Typed>({ page: {}, site: {} });
  const site = useSite();

  function close() {
    opened?.host.remove();
    setOpened(null);
  }

  function toggle(place: PagePlace, pencil: HTMLElement) {
    close();
    if (opened && keyOf(opened) === keyOf(place)) return;
    const host = document.createElement("div");
    host.className = "page-editor-place";
    // React does not move what stands around it here: the editor is a sibling of its text.
    (pencil.closest("h1, h2, h3, p, dl, .prose") ?? pencil).after(host);
    setOpened({ ...place, host });
  }

  const editor = useMemo<PageEditor>(
    () => ({
      Pencil: PencilLink,
      current: (words, of) => ({ ...words, ...typed[of] }),
    }),
    [typed],
  );
  return (
    <PageEditorContext value={editor}>
      <OpeningContext value={{ edit, opened, toggle }}>
        <SiteContext value={{ ...site, ...(typed.site as Partial<typeof site>) }}>
          {children}
        </SiteContext>
      </OpeningContext>
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
                setTyped(({ page, site }) => {
                  const now = { page, site };
                  return { ...now, [opened.of]: { ...now[opened.of], [opened.field]: shown } };
                })
              }
              onClose={close}
            />
          </Suspense>,
          opened.host,
        )}
    </PageEditorContext>
  );
}

function PencilLink(place: PagePlace) {
  const opening = use(OpeningContext);
  if (!opening) return null;
  const { edit, opened, toggle } = opening;
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
