import { describe, expect, test, vi } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import {
  ensureShareCard,
  findShareCards,
  redrawShareCards,
  removeShareCard,
  requestShareCard,
  shareCardDrawing,
} from "~/features/share-cards/share-cards.server.ts";
import { namedIn } from "~/platform/backup/named-media.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { shareCardKey } from "~/platform/pictures/keys.ts";
import { type ShareCard, shareCardName } from "~/platform/share-cards/card.ts";
import { aboutPng } from "~/platform/share-cards/png.ts";
import { readStored } from "~/platform/storage/storage.ts";
import { openForTests } from "../support/open-for-tests.ts";
import { openTestServices } from "../support/services.ts";
import { siteOfFile } from "../support/site.ts";

const card: ShareCard = {
  ...{ brand: "Blue Dot", title: "An hour of your own", line: "Coaching", drawing: "chairs" },
};
const titled = (title: string): ShareCard => ({ ...card, title });
const pathOf = (of: ShareCard) => `/pictures/${shareCardName(of)}-card.png`;

const request = (services: Services, page: string, of: ShareCard) =>
  services.db.transaction((trx) => requestShareCard(trx, services, { page, card: of }));
const cardOf = async (services: Services, page: string) =>
  (await findShareCards(services)).find((one) => one.page === page);
const signal = new AbortController().signal;
const perform = (services: Services, page: string) =>
  shareCardDrawing.perform(services, { page }, { id: newId(), signal });

describe("the share picture of a page", () => {
  const site = siteOfFile();
  const drawn = (page: string, of: ShareCard) =>
    vi.waitFor(
      async () => expect(await cardOf(site.services, page)).toMatchObject({ path: pathOf(of) }),
      { timeout: 20_000, interval: 50 },
    );

  test("is drawn by the worker once its words are published, and served for good", async () => {
    await request(site.services, "home", card);
    site.services.wakeWorker();
    await drawn("home", card);
    expect(await cardOf(site.services, "home")).toEqual({
      ...{ page: "home", path: pathOf(card), width: 1200, height: 630 },
      alt: expect.stringMatching(/^“An hour of your own”, beside a drawing: two chairs/),
    });
    const answer = await site.ask(pathOf(card));
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    const png = Buffer.from(await answer.arrayBuffer());
    expect(aboutPng(png)).toEqual({ width: 1200, height: 630, mark: shareCardName(card) });
    expect(answer.headers.get("content-length")).toBe(String(png.length));
    expect(png.length).toBeLessThan(60_000);
    const known = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await site.ask(pathOf(card), { headers: known })).status).toBe(304);
    expect((await site.ask(pathOf(card), { method: "HEAD" })).status).toBe(200);
  });

  test("of other words has another address; the old one works for some days", async () => {
    const [before, after] = [titled("Before"), titled("After")];
    await request(site.services, "about", before);
    await drawn("about", before);
    await request(site.services, "about", after);
    expect(await cardOf(site.services, "about")).toMatchObject({ path: pathOf(before) });
    await drawn("about", after);
    const statuses = async () => [
      (await site.ask(pathOf(before))).status,
      (await site.ask(pathOf(after))).status,
    ];
    for (const [days, expected] of [
      [0, [200, 200]],
      [6.9, [200, 200]],
      [0.2, [404, 200]],
    ] as const) {
      site.clock.forwardDays(days);
      await cleanUpMedia.run(site.services);
      expect(await statuses(), `${days} days later`).toEqual(expected);
    }
  });

  test.each([
    `/pictures/${"0".repeat(32)}-card.png`,
    `${pathOf(titled("Never published"))}?title=Never%20published`,
    "/share/home.png/x",
    "/share/anything.png?title=Free%20money",
  ])("GET %s: draws nothing", async (address) => {
    expect((await site.ask(address)).status).toBe(404);
  });
});

describe("drawing share pictures", () => {
  const opened = openForTests(openTestServices);
  const there = async (of: ShareCard) =>
    (await opened.services.storage.find("pictures", shareCardKey(shareCardName(of)))) !== null;

  const waiting = async () => {
    const rows = opened.services.db.read.selectFrom("outbox").select("payload");
    return (await rows.where("kind", "=", shareCardDrawing.kind).execute()).length;
  };

  test("is asked for once for the same words, and not in a transaction that fails", async () => {
    const { services } = opened;
    const before = await waiting();
    for (const title of ["Once", "  Once\n", "Once"])
      await request(services, "once", titled(title));
    expect(await waiting()).toBe(before + 1);
    const failing = services.db.transaction(async (trx) => {
      await requestShareCard(trx, services, { page: "once", card: titled("Not at all") });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    expect(await waiting()).toBe(before + 1);
    await perform(services, "once");
    expect(await cardOf(services, "once")).toMatchObject({ path: pathOf(titled("Once")) });
  });

  test("ends with one file where two processes draw the same", async () => {
    const { services } = opened;
    const of = titled("Two at once");
    const paths = await Promise.all([ensureShareCard(services, of), ensureShareCard(services, of)]);
    expect(paths).toEqual([pathOf(of), pathOf(of)]);
    const stored = await readStored(services.storage, "pictures", shareCardKey(shareCardName(of)));
    expect(aboutPng(Buffer.from(stored ?? []))).toMatchObject({ mark: shareCardName(of) });
  });

  test("leaves the picture that a page has when storage fails, says so, and is made up for", async () => {
    const { services } = opened;
    await request(services, "fails", titled("Good"));
    await perform(services, "fails");
    await request(services, "fails", titled("Better"));
    const full = {
      ...services,
      storage: {
        ...services.storage,
        putFile: async () => {
          throw new Error("the disk is full");
        },
      },
    };
    const said = vi.spyOn(services.log, "warn");
    await expect(perform(full, "fails")).rejects.toThrow("the disk is full");
    const words = "a share picture could not be drawn";
    expect(said).toHaveBeenCalledWith(expect.objectContaining({ page: "fails" }), words);
    said.mockRestore();
    expect(await cardOf(services, "fails")).toMatchObject({ path: pathOf(titled("Good")) });
    await redrawShareCards.run(full);
    expect(await cardOf(services, "fails")).toMatchObject({ path: pathOf(titled("Good")) });
    await redrawShareCards.run(services);
    expect(await cardOf(services, "fails")).toMatchObject({ path: pathOf(titled("Better")) });
  });

  test("never puts older words over newer ones", async () => {
    const { services } = opened;
    await request(services, "newer", titled("Older"));
    const slow: Services = {
      ...services,
      storage: {
        ...services.storage,
        async putFile(...given) {
          await request(services, "newer", titled("Newer"));
          return services.storage.putFile(...given);
        },
      },
    };
    await perform(slow, "newer");
    expect(await cardOf(services, "newer")).toBeUndefined();
    await perform(services, "newer");
    expect(await cardOf(services, "newer")).toMatchObject({ path: pathOf(titled("Newer")) });
  });

  test("is done again each hour for a file that is gone, and for no page that has one", async () => {
    const { services } = opened;
    const of = titled("Lost");
    await request(services, "lost", of);
    await perform(services, "lost");
    expect(await namedIn(services.db.read)).toContainEqual({
      ...{ bucket: "pictures", key: shareCardKey(shareCardName(of)) },
    });
    await services.storage.remove("pictures", shareCardKey(shareCardName(of)));
    await redrawShareCards.run(services);
    expect(await there(of)).toBe(true);
    const put = vi.fn();
    await redrawShareCards.run({ ...services, storage: { ...services.storage, putFile: put } });
    expect(put).not.toHaveBeenCalled();
  });

  test("does nothing for a page without a picture any more, and refuses an unknown drawing", async () => {
    const { services } = opened;
    await request(services, "gone", titled("Gone"));
    await removeShareCard(services.db.write, "gone");
    await perform(services, "gone");
    expect(await there(titled("Gone"))).toBe(false);
    await request(services, "unknown", titled("Unknown"));
    const table = services.db.write.updateTable("shareCards").set({ drawing: "lighthouse" });
    await table.where("page", "=", "unknown").execute();
    await expect(perform(services, "unknown")).rejects.toThrow("no drawing 'lighthouse'");
    await redrawShareCards.run(services);
    expect(await cardOf(services, "unknown")).toBeUndefined();
  });

  test.each([
    ["100,000 characters", "grief ".repeat(17_000)],
    ["control characters and NUL", "a\u0000b\u001b[2Jc\r\nd\u0085"],
    ["emoji alone", "🕯️🕊️👩‍👩‍👧‍👦"],
    ["right to left", "\u202eשלום\u202c و \u2066x"],
    ["signs of XML", `<&>"' ]]> <![CDATA[x]]> <?xml?> &#0; </svg><script>`],
    ["half a character", "a\ud800b"],
  ])("stores and draws whatever the title is: %s", async (_, title) => {
    const { services } = opened;
    const of = { ...card, title, line: title, brand: title };
    const page = `odd-${newId()}`;
    await request(services, page, of);
    await perform(services, page);
    const found = await cardOf(services, page);
    expect(found?.path).toBe(pathOf(of));
    expect(found?.alt.length).toBeLessThan(400);
  });
});
