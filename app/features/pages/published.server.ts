import { findShareCards, type PageShareCard } from "~/features/share-cards/share-cards.server.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type {
  Content,
  CoursePageContent,
  PageContent,
  PageKind,
  PublishedContent,
  ShareImage,
  Site,
} from "~content/fields.ts";
import { contentShape } from "~content/page-schema.ts";
import { cardAlt, type ShareName, shareDrawings } from "~content/share.ts";
import { firstCoursePages, firstEdition } from "./first-edition.server.ts";
import { withNames } from "./names.server.ts";
import { coursePrefix, kindOf, pageSubject } from "./rules.ts";
import { drawingOf, shareCardOf } from "./share-card.ts";

type Parts = Pick<Services, "db" | "log">;

/** A page whose public version cannot be read: an older one, or the first edition, takes its place. */
export type DamagedPage = { subject: string; number: number };

/** The public words of all pages, in memory. */
export class Published implements PublishedContent {
  readonly #parts: Parts;
  #site: Site;
  #shown = new Map<string, Content>();
  #unnamed = new Map<string, Content>();
  #cards = new Map<string, PageShareCard>();
  #damaged: DamagedPage[] = [];

  private constructor(parts: Parts) {
    this.#parts = parts;
    this.#site = firstEdition.site?.shown as Site;
  }

  static async open(parts: Parts): Promise<Published> {
    const published = new Published(parts);
    await published.refresh();
    return published;
  }

  get site(): Site {
    return this.#site;
  }

  share(name: string, slug = ""): ShareImage {
    const drawn = this.#cards.get(name) ?? this.#cards.get(slug);
    if (drawn) return { path: drawn.path, alt: drawn.alt };
    const file = [name, slug].find((one) => one in shareDrawings) as ShareName | undefined;
    const words = this.#shown.get(pageSubject(name)) ?? this.#shown.get(slug) ?? this.#site;
    const drawing = drawingOf(file ? name : "site", slug);
    const card = shareCardOf(file ? words : this.#site, this.#site, drawing);
    return { path: `/share/${file ?? "default"}.png`, alt: card ? cardAlt(card) : "" };
  }

  unnamed(): ReadonlyMap<string, Content> {
    return this.#unnamed;
  }

  get damaged(): readonly DamagedPage[] {
    return this.#damaged;
  }

  page<Kind extends Exclude<PageKind, "site" | "course">>(kind: Kind): PageContent<Kind> {
    return this.#shown.get(pageSubject(kind)) as PageContent<Kind>;
  }

  course({ id, slug }: { id: string | null; slug: string }): CoursePageContent | null {
    const own = id === null ? undefined : this.#shown.get(pageSubject(coursePrefix + id));
    return (own ?? this.#shown.get(slug) ?? null) as CoursePageContent | null;
  }

  async refresh(): Promise<void> {
    const damaged: DamagedPage[] = [];
    const found = new Map<string, Content>();
    for (const [name, { shown }] of Object.entries(firstEdition))
      found.set(pageSubject(name), shown);
    for (const [slug, { shown }] of Object.entries(firstCoursePages)) found.set(slug, shown);
    for (const { subject, number, ...stored } of await currentPages(this.#parts.db.read)) {
      const current = readShown(kindOf(subject), stored);
      if (!current) damaged.push({ subject, number });
      const shown = current ?? (await lastGood(this.#parts.db.read, subject, number));
      if (shown) found.set(subject, shown);
    }
    const cards = await findShareCards(this.#parts);
    this.#report(damaged);
    this.#cards = new Map(cards.map((card) => [card.page, card]));
    this.#site = found.get(pageSubject("site")) as Site;
    this.#unnamed = found;
    this.#shown = new Map(
      [...found].map(([subject, shown]) => [
        subject,
        withNames(kindOf(subject), shown, this.#site),
      ]),
    );
  }

  #report(damaged: DamagedPage[]) {
    const isKnown = (one: DamagedPage) =>
      this.#damaged.some(({ subject, number }) => one.subject === subject && one.number === number);
    for (const page of damaged.filter((one) => !isKnown(one)))
      this.#parts.log.error(page, "the words of a page cannot be read; an older version is shown");
    this.#damaged = damaged;
  }
}

/** The public version of each page; without content where its row is gone. */
export function currentPages(db: Query) {
  return db
    .selectFrom("pages")
    .leftJoin("versions", (join) =>
      join
        .onRef("versions.subject", "=", "pages.subject")
        .onRef("versions.number", "=", "pages.number"),
    )
    .select(["pages.subject", "pages.number", "versions.content", "versions.shown"])
    .orderBy("pages.subject")
    .execute();
}

/** How far back a readable version is looked for. */
const mostTries = 20;

/** The newest older version that can be shown; null where there is none. */
async function lastGood(db: Query, subject: string, number: number): Promise<Content | null> {
  const older = await db
    .selectFrom("versions")
    .select(["content", "shown"])
    .where("subject", "=", subject)
    .where("number", "<", number)
    .orderBy("number", "desc")
    .limit(mostTries)
    .execute();
  for (const one of older) {
    const shown = readShown(kindOf(subject), one);
    if (shown) return shown;
  }
  return null;
}

type Stored = { content: string | null; shown: string | null };

/** Null where it is not what this version of the site can show. */
function readShown(kind: PageKind, { content, shown }: Stored): Content | null {
  try {
    const shape = contentShape(kind);
    const isWhole = shape.safeParse(JSON.parse(content ?? "")).success;
    return isWhole ? (shape.safeParse(JSON.parse(shown ?? "")).data ?? null) : null;
  } catch {
    return null;
  }
}
