import { renderContent } from "~/features/pages/render.server.ts";
import { pageSubject } from "~/features/pages/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { markdownToHtml } from "~/platform/markdown/render.ts";
import {
  type Content,
  type Field,
  type ListField,
  type PageKind,
  pageFields,
} from "~content/fields.ts";

/** Fills a place with words; `at` says which place it is: 'home.heading', 'home.offers.0.title'. */
export type Fill = (place: Field, at: string) => string;

/** The words of a page with something in each of its places. */
export function filledPage(kind: PageKind, fill: Fill): Content {
  return Object.fromEntries(
    Object.entries<Field | ListField>(pageFields[kind]).map(([name, place]) => {
      const at = `${kind}.${name}`;
      if (place.kind !== "list") return [name, fill(place, at)];
      const count = Math.min(place.max, Math.max(place.min, 2));
      const items = Array.from({ length: count }, (_, index) =>
        Object.fromEntries(
          Object.entries(place.of).map(([part, of]) => [part, fill(of, `${at}.${index}.${part}`)]),
        ),
      );
      return [name, items];
    }),
  );
}

/** Publishes words past all checks, as if an older version of the site had let them through. */
export async function publishWords(
  { db, clock, content }: Services,
  words: readonly (readonly [name: string, kind: PageKind, content: Content])[],
): Promise<void> {
  const now = clock.now();
  for (const [name, kind, written] of words) {
    const subject = pageSubject(name);
    const shown = await renderContent(pageFields[kind], written, {
      text: (markdown) => markdownToHtml(markdown, {}, "page"),
      picture: (path) => path,
    });
    const number = 1;
    const version = { content: JSON.stringify(written), shown: JSON.stringify(shown) };
    await db.write
      .insertInto("versions")
      .values({ id: newId(), subject, number, ...version, createdAt: now })
      .execute();
    await db.write.insertInto("pages").values({ subject, number, updatedAt: now }).execute();
  }
  await content.refresh();
}
