import type { RouterContextProvider } from "react-router";
import { servicesOf, sessionContext, timeZoneContext } from "~/platform/http/context.ts";
import type { Services } from "~/platform/http/services.ts";
import type { Content, PageContent, PageKind, ShareImage } from "~content/fields.ts";
import { getPageEditing } from "./drafts.server.ts";
import { withNames } from "./names.server.ts";
import { type EditedPage, getEditedPage } from "./pages.server.ts";
import { coursePrefix } from "./rules.ts";
import type { EditablePage, PageEditing } from "./schema.ts";
import { renderPage } from "./words.server.ts";

type Asked = { context: Readonly<Pick<RouterContextProvider, "get">>; url: URL };

type Words<Kind extends PageKind> = {
  words: PageContent<Kind>;
  share: ShareImage;
  edit?: EditablePage;
};

/** The words of a public page. For an admin it says that the page can be edited; with `?edit`, the
 * drafts are in it, and what an editor needs. For everybody else it asks no database. */
export async function pageWords<Kind extends Exclude<PageKind, "site" | "course">>(
  asked: Asked,
  kind: Kind,
): Promise<Words<Kind>> {
  const { content } = servicesOf(asked.context);
  const words = content.page(kind);
  return { words, share: content.share(kind), ...(await withDrafts(asked, kind, words)) };
}

/** {@link pageWords} of a course's page; `words` null where there are none yet. */
export async function coursePageWords(
  asked: Asked,
  { id, slug }: { id: string | null; slug: string },
): Promise<{ words: PageContent<"course"> | null; share: ShareImage; edit?: EditablePage }> {
  const { content } = servicesOf(asked.context);
  const words = content.course({ id, slug });
  const name = id === null ? slug : coursePrefix + id;
  const page = { words, share: words ? content.share(name, slug) : content.share("courses") };
  return id === null ? page : { ...page, ...(await withDrafts(asked, name, words)) };
}

async function withDrafts<Shown extends Content | null>(
  { context, url }: Asked,
  name: string,
  published: Shown,
): Promise<{ words?: NonNullable<Shown>; edit?: EditablePage }> {
  const { viewer, lacksFactor } = context.get(sessionContext);
  if (viewer?.role !== "admin" || lacksFactor) return {};
  if (!url.searchParams.has("edit")) return { edit: { isOpen: false } };
  const services = servicesOf(context);
  const asking = { userId: viewer.id, timeZone: context.get(timeZoneContext) };
  const [page, site] = await Promise.all([
    getEditedPage(services, name),
    getEditedPage(services, "site"),
  ]);
  const [ownEditing, siteEditing] = await Promise.all([
    getPageEditing(services, page, asking),
    getPageEditing(services, site, asking),
  ]);
  const words = await draftWords(services, page, ownEditing, published);
  return { words, edit: { isOpen: true, page: ownEditing, site: siteEditing } };
}

/** What the page would say with its drafts; what it says now, where they cannot be shown. */
async function draftWords<Shown extends Content | null>(
  services: Services,
  page: EditedPage,
  { published: content, drafts }: PageEditing,
  published: Shown,
): Promise<NonNullable<Shown>> {
  const written = { ...content };
  for (const [field, { value }] of Object.entries(drafts))
    if (field in written) written[field] = value;
  try {
    const shown = await renderPage(services.db.read, page.kind, written);
    return withNames(page.kind, shown, services.content.site) as NonNullable<Shown>;
  } catch (err) {
    services.log.warn({ err, page: page.name }, "the drafts of a page cannot be shown");
    if (published) return published;
    const shown = await renderPage(services.db.read, page.kind, content);
    return withNames(page.kind, shown, services.content.site) as NonNullable<Shown>;
  }
}
