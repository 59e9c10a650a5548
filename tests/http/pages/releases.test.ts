import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  publishRelease,
  scheduleRelease,
  undoRelease,
  unscheduleRelease,
} from "~/features/releases/publish-release.server.ts";
import {
  addCourse,
  addPage,
  createRelease,
  getRelease,
} from "~/features/releases/releases.server.ts";
import { createCourse } from "../../support/courses.ts";
import { firstPage } from "../../support/first-edition.ts";
import { draftPlace, publishDrafts } from "../../support/page-editing.ts";
import { patient } from "../../support/patient.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
let coach: Person;
beforeAll(async () => {
  coach = await createPerson(site.services, { role: "admin", name: "Nora" });
});
afterEach(async () => {
  for (const table of ["pageDrafts", "pages", "versions", "releases"] as const)
    await site.services.db.write.deleteFrom(table).execute();
});

const text = async (path: string) => {
  await site.ask("/admin/pages/home/draft", { as: coach, form: {} });
  return (await site.ask(path)).text();
};

const draft = (page: string, field: string, value: string) =>
  draftPlace(site.services, coach, { page, field, value });

async function publish(page: string, field: string, value: string) {
  await draft(page, field, value);
  await publishDrafts(site.services, page);
}

const priceOf = async (id: string) =>
  await site.services.db.read
    .selectFrom("products")
    .select(["priceCents", "active", "comingSoon"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

/** A new price, an open course and two pages, bound together. */
async function spring() {
  const { services } = site;
  const course = await createCourse(services, [[{}]], { title: "Mornings" });
  const id = await createRelease(services, "Spring");
  await draft("about", "heading", "A new heading");
  await draft("coaching", "heading", "Another heading");
  for (const name of ["about", "coaching"]) await addPage(services, id, name);
  const after = { priceCents: 4_900, comingSoon: true };
  await addCourse(services, id, { courseId: course.id, after });
  return { id, course };
}

describe("a release", () => {
  test("is public all at once, and taken back all at once", async () => {
    const { services } = site;
    const { id, course } = await spring();
    const before = await priceOf(course.id);
    expect(await text("/about")).not.toContain("A new heading");
    await publishRelease(services, id);
    expect(await text("/about")).toContain("A new heading");
    expect(await text("/coaching")).toContain("Another heading");
    expect(await priceOf(course.id)).toEqual({ ...before, priceCents: 4_900, comingSoon: true });
    expect(await services.db.read.selectFrom("pageDrafts").selectAll().execute()).toEqual([]);
    await expect(publishRelease(services, id)).rejects.toThrow("meanwhile");
    await undoRelease(services, id);
    expect(await text("/about")).toContain((await firstPage("about")).heading);
    expect(await text("/coaching")).toContain((await firstPage("coaching")).heading);
    expect(await priceOf(course.id)).toEqual(before);
  });

  test("holds what was in the drafts: what is typed later stays a draft", async () => {
    const { id } = await spring();
    await draft("about", "heading", "Typed later");
    await publishRelease(site.services, id);
    expect(await text("/about")).toContain("A new heading");
    const drafts = await site.services.db.read.selectFrom("pageDrafts").select("value").execute();
    expect(drafts).toEqual([{ value: '"Typed later"' }]);
  });

  test("publishes nothing where one thing in it was changed since, and names it", async () => {
    const { services } = site;
    const { id, course } = await spring();
    await publish("coaching", "heading", "Changed since");
    await expect(publishRelease(services, id)).rejects.toThrow(
      "Coaching, Heading was changed since",
    );
    expect(await text("/about")).not.toContain("A new heading");
    await services.db.write.deleteFrom("pages").execute();
    await services.db.write
      .updateTable("products")
      .set({ priceCents: 1 })
      .where("id", "=", course.id)
      .execute();
    await expect(publishRelease(services, id)).rejects.toThrow("Mornings was changed since");
    expect(await text("/about")).not.toContain("A new heading");
    expect((await getRelease(services.db.read, id)).state).toBe("open");
  });

  test("takes nothing back where one thing in it was changed after it, and names it", async () => {
    const { services } = site;
    const { id } = await spring();
    await publishRelease(services, id);
    await publish("coaching", "lead", "Changed after it.");
    await expect(undoRelease(services, id)).rejects.toThrow("Coaching was changed after");
    expect(await text("/about")).toContain("A new heading");
  });

  test("is published at its time, and what stands in the way is told to the coach", async () => {
    const { services, clock } = site;
    const [{ id }, { id: other }] = [await spring(), await spring().catch(() => spring())];
    const at = (minutes: number) => {
      const time = new Date(clock.now().getTime() + minutes * 60_000);
      return new Intl.DateTimeFormat("sv-SE", {
        ...{ timeZone: "Europe/Dublin", dateStyle: "short", timeStyle: "short" },
      })
        .format(time)
        .replace(" ", "T");
    };
    const schedule = (of: string, when: string) =>
      scheduleRelease(services, { id: of, at: when, timeZone: "Europe/Dublin" });
    await expect(schedule(id, "soon")).rejects.toThrow("Choose a day and a time");
    await expect(schedule(id, at(-5))).rejects.toThrow("passed already");
    await expect(schedule(id, "2046-01-01T08:00")).rejects.toThrow("within the next year");
    await schedule(id, at(30));
    await schedule(other, at(90));
    await unscheduleRelease(services, other);
    await schedule(other, at(120));
    clock.forward(31 * 60_000);
    services.wakeWorker();
    const stateOf = async (of: string) => (await getRelease(services.db.write, of)).state;
    await vi.waitFor(async () => expect(await stateOf(id)).toBe("published"), patient);
    expect(await text("/about")).toContain("A new heading");
    // The other one wants to change the same headings.
    clock.forward(65 * 60_000);
    services.wakeWorker();
    expect(await stateOf(other)).toBe("scheduled");
    clock.forward(30 * 60_000);
    services.wakeWorker();
    await vi.waitFor(async () => expect(await stateOf(other)).toBe("failed"), patient);
    const page = await site.ask(`/admin/releases/${other}`, { as: coach });
    expect(await page.text()).toContain("was changed since this was put into the release");
    expect(await (await site.ask("/admin", { as: coach })).text()).toContain(
      "not published at the time you chose",
    );
  });
});
