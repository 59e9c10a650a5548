import { z } from "zod";
import type { ShareCardsTable } from "~/platform/db/course-tables.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob, PermanentFailure } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { shareCardKey } from "~/platform/pictures/keys.ts";
import {
  boundedCard,
  isDrawing,
  type ShareCard,
  shareCardName,
} from "~/platform/share-cards/card.ts";
import { drawShareCard } from "~/platform/share-cards/draw.ts";
import { putBytes } from "~/platform/storage/put-bytes.ts";
import { cardAlt, shareSize } from "~content/share.ts";

/** The share picture of a page: 'home', 'about', 'course:ID'. Its address is cached for good. */
export type PageShareCard = {
  page: string;
  path: string;
  alt: string;
  width: number;
  height: number;
};

/** All that are drawn, in the order of their pages. One that is missing has the default picture. */
export async function findShareCards({ db }: Pick<Services, "db">): Promise<PageShareCard[]> {
  const rows = await db.read
    .selectFrom("shareCards")
    .select(["page", "name", "alt"])
    .where("name", "is not", null)
    .orderBy("page")
    .execute();
  return rows.flatMap(({ page, name, alt }) =>
    name === null ? [] : [{ page, path: pathOf(name), alt: alt ?? "", ...shareSize }],
  );
}

const pathOf = (name: string) => `/pictures/${name}-card.png`;

/** Draws a card and stores it, once. Calls at the same time, in several processes too, end with the
 * same file. @returns its public path @throws when it could not be drawn or stored */
export async function ensureShareCard(
  { storage }: Pick<Services, "storage">,
  card: ShareCard,
): Promise<string> {
  const name = shareCardName(card);
  const key = shareCardKey(name);
  if (!(await storage.find("pictures", key)))
    await putBytes(storage, { bucket: "pictures", key }, await drawShareCard(card));
  return pathOf(name);
}

/** In the transaction that publishes a page's words: has its picture drawn in the background. Until
 * then the page has the picture that it had. Does nothing where the words are the same. The caller
 * wakes the worker after the transaction. */
export async function requestShareCard(
  trx: Query,
  { clock }: Pick<Services, "clock">,
  { page, card }: { page: string; card: ShareCard },
): Promise<void> {
  const words = boundedCard(card);
  const now = clock.now();
  const row = { ...words, wanted: shareCardName(words), requestedAt: now };
  const changed = await trx
    .insertInto("shareCards")
    .values({ page, ...row })
    .onConflict((conflict) =>
      conflict.column("page").doUpdateSet(row).where("shareCards.wanted", "!=", row.wanted),
    )
    .returning("page")
    .executeTakeFirst();
  if (changed) await enqueue(trx, shareCardDrawing, { page }, { now });
}

/** The page has the default picture from now on. The file goes with the cleanup of strays. */
export async function removeShareCard(trx: Query, page: string): Promise<void> {
  await trx.deleteFrom("shareCards").where("page", "=", page).execute();
}

/** Draws what a page wants now. A failure leaves the picture that it has. */
export const shareCardDrawing = defineJob({
  kind: "share-cards.draw",
  label: "Share picture",
  ...{ sendsEmail: false, slow: true, maxAttempts: 6 },
  payload: z.object({ page: z.string() }),
  async run(services, { page }) {
    const cards = services.db.write.selectFrom("shareCards").selectAll();
    const row = await cards.where("page", "=", page).executeTakeFirst();
    if (!row) return;
    if (!cardOf(row)) throw new PermanentFailure(`there is no drawing '${row.drawing}'`);
    await draw(services, row);
  },
});

type Row = Pick<ShareCardsTable, "page" | "brand" | "title" | "line" | "drawing" | "wanted"> & {
  name: string | null;
};

/** Null for a drawing that this version does not have. */
function cardOf({ brand, title, line, drawing }: Row): Required<ShareCard> | null {
  return isDrawing(drawing) ? { brand, title, line, drawing } : null;
}

async function draw(services: Services, row: Row): Promise<void> {
  const { db, clock, log } = services;
  const card = cardOf(row);
  if (!card) return;
  try {
    await ensureShareCard(services, card);
  } catch (error) {
    log.warn({ err: error, page: row.page }, "a share picture could not be drawn");
    throw error;
  }
  const name = shareCardName(card);
  if (row.name === name) return;
  // Words that were published meanwhile have work of their own.
  await db.write
    .updateTable("shareCards")
    .set({ name, wanted: name, alt: cardAlt(card), drawnAt: clock.now() })
    .where("page", "=", row.page)
    .where("wanted", "=", row.wanted)
    .execute();
}

/** An hour's share: the rest goes in the next hour. */
const mostAtOnce = 100;
/** After these nothing else is tried: the store is away, or nothing can be drawn. */
const mostFailures = 3;

/** Draws again what failed for good, what an older version has drawn in another way, and what is no
 * longer in storage. Concurrent runs are safe, and so is a stop at any step. */
export const redrawShareCards: RegularTask = {
  name: "share-cards.redraw",
  async run(services) {
    const rows = await services.db.write.selectFrom("shareCards").selectAll().execute();
    let [drawn, failures] = [0, 0];
    for (const row of rows) {
      if (drawn >= mostAtOnce || failures >= mostFailures) return;
      if (!(await isMissing(services, row))) continue;
      await draw(services, row).then(
        () => (drawn += 1),
        () => (failures += 1),
      );
    }
  },
};

async function isMissing({ storage }: Services, row: Row): Promise<boolean> {
  const card = cardOf(row);
  if (!card) return false;
  if (row.name !== shareCardName(card)) return true;
  return (await storage.find("pictures", shareCardKey(row.name))) === null;
}
