import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../../tests/support/courses.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { updateCourse } from "../courses/courses.server.ts";
import { deleteOldLostPages, LostPages, listLostPages } from "./lost-pages.server.ts";
import { findTarget, saveRedirect } from "./redirects.server.ts";
import { mostLostPages } from "./rules.ts";

let site: Awaited<ReturnType<typeof openTestServices>>;
beforeAll(async () => {
  site = await openTestServices();
});
afterAll(() => site.close());
afterEach(async () => {
  for (const table of ["redirects", "lostPages"] as const)
    await site.services.db.write.deleteFrom(table).execute();
});

const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };

async function ways() {
  const rows = await site.services.db.read
    .selectFrom("redirects")
    .select(["fromPath", "target"])
    .execute();
  return rows
    .map(({ fromPath, target }) => `${fromPath} ${target}`.replaceAll("/courses/", ""))
    .sort();
}

describe("updateCourse: a changed address", () => {
  async function renaming(first: string) {
    const { services } = site;
    const { id } = await createCourse(services, [], { slug: first });
    let revision = 1;
    return async (slug: string) => {
      const fields = { title: "Water", slug, description: null, priceCents: 0 };
      revision = await updateCourse(services, { id, revision, ...fields });
    };
  }

  test("leads to the new one, at once after several, and not in a circle", async () => {
    const rename = await renaming("a1");
    await rename("a1");
    expect(await ways()).toEqual([]);
    await rename("b1");
    await rename("c1");
    expect(await ways()).toEqual(["a1 c1", "b1 c1"]);
    await rename("b1");
    expect(await ways()).toEqual(["a1 b1", "c1 b1"]);
    await rename("a1");
    expect(await ways()).toEqual(["b1 a1", "c1 a1"]);
    expect(await findTarget(site.services, "/courses/c1/learn")).toBe("/courses/a1/learn");
  });

  test("belongs to the next course there, which leads on from it in its turn", async () => {
    await (await renaming("a2"))("b2");
    const other = await renaming("a2");
    expect(await ways()).toEqual(["a2 b2"]);
    await other("c2");
    expect(await ways()).toEqual(["a2 c2"]);
  });

  test("is not stored where the course was not saved", async () => {
    const { services } = site;
    const { id } = await createCourse(services, [], { slug: "a3" });
    const fields = { title: "Water", slug: "b3", description: null, priceCents: 0 };
    await expect(updateCourse(services, { id, revision: 9, ...fields })).rejects.toThrow();
    await createCourse(services, [], { slug: "b3" });
    await expect(updateCourse(services, { id, revision: 1, ...fields })).rejects.toThrow();
    expect(await ways()).toEqual([]);
  });

  test("takes along what led to it from elsewhere", async () => {
    await saveRedirect(site.services, { id: null, fromPath: "/old", target: "/courses/a4" });
    await (await renaming("a4"))("b4");
    expect(await ways()).toEqual(["/old b4", "a4 b4"]);
  });
});

describe("saveRedirect", () => {
  const way = { fromPath: "/old", target: "/about" };

  test("is idempotent, changes both ends, and takes the address off the list of lost ones", async () => {
    const { services } = site;
    const pages = new LostPages(services, () => "UTC");
    pages.count("/old", "lost", browser);
    await pages.flush();
    for (const _ of [1, 2]) await saveRedirect(services, { id: null, ...way });
    expect(await ways()).toEqual(["/old /about"]);
    expect((await listLostPages(services, { cursor: null, limit: 5 })).rows).toEqual([]);
    const { id } = await services.db.read
      .selectFrom("redirects")
      .select("id")
      .executeTakeFirstOrThrow();
    await saveRedirect(services, { id, fromPath: "/older", target: "/help" });
    expect(await ways()).toEqual(["/older /help"]);
    const none = { id: newId(), ...way };
    await expect(saveRedirect(services, none)).rejects.toMatchObject({ code: "not_found" });
  });

  test("leaves no target that leads on itself", async () => {
    await saveRedirect(site.services, { id: null, fromPath: "/a", target: "/b" });
    await saveRedirect(site.services, { id: null, fromPath: "/b", target: "/c" });
    expect(await ways()).toEqual(["/a /c", "/b /c"]);
    await saveRedirect(site.services, { id: null, fromPath: "/c", target: "/a" });
    expect(await ways()).toEqual(["/b /a", "/c /a"]);
  });
});

describe("LostPages", () => {
  const list = async () =>
    (await listLostPages(site.services, { cursor: null, limit: 1000 })).rows.map(
      ({ path, requests }) => [path, requests],
    );

  test("add up over several processes, and wait in memory while the database is away", async () => {
    const { services } = site;
    const [mine, other] = [
      new LostPages(services, () => "UTC"),
      new LostPages(services, () => "UTC"),
    ];
    for (const one of [mine, mine, other]) one.count("/Old-Page", "lost", browser);
    mine.count("/once", "lost", browser);
    const { unsynced } = services.db;
    services.db.unsynced = () => Promise.reject(new Error("away"));
    await mine.flush();
    services.db.unsynced = unsynced;
    await Promise.all([mine.flush(), other.flush()]);
    expect(await list()).toEqual([
      ["/old-page", 3],
      ["/once", 1],
    ]);
  });

  test("a million addresses of somebody's: five hundred are stored, and the frequent stay", async () => {
    const pages = new LostPages(site.services, () => "UTC");
    for (let n = 0; n < 3; n += 1) pages.count("/old-leaflet", "lost", browser);
    await pages.flush();
    for (let round = 0; round < 4; round += 1) {
      for (let n = 0; n < 250_000; n += 1) pages.count(`/x-${round}-${n}`, "lost", browser);
      await pages.flush();
    }
    const rows = await list();
    expect(rows).toHaveLength(mostLostPages);
    expect(rows[0]).toEqual(["/old-leaflet", 3]);
  });

  test("count the way on at the old address, also for what is below a course", async () => {
    const { services } = site;
    const pages = new LostPages(services, () => "UTC");
    const way = { fromPath: "/courses/a", target: "/courses/b" };
    await saveRedirect(services, { id: null, ...way });
    for (const path of ["/courses/a", "/courses/A/learn", "/courses/gone"])
      pages.count(path, "led", browser);
    await pages.flush();
    const { hits } = await services.db.read
      .selectFrom("redirects")
      .select("hits")
      .executeTakeFirstOrThrow();
    expect(hits).toBe(2);
  });

  test("are deleted ninety days after they were last asked for", async () => {
    const { services, clock } = site;
    const pages = new LostPages(services, () => "UTC");
    pages.count("/old", "lost", browser);
    await pages.flush();
    clock.forwardDays(89);
    await deleteOldLostPages.run(services);
    expect(await list()).toEqual([["/old", 1]]);
    clock.forwardDays(3);
    await deleteOldLostPages.run(services);
    expect(await list()).toEqual([]);
  });
});
