import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { ownThingsOf } from "../../support/personal-columns.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const minute = 60_000;
const list = "/admin/courses/deleted";
const site = siteOfFile();
const coach = adminOfFile(site);

const post = (path: string, form: Record<string, string>) => site.ask(path, { as: coach, form });
const read = async (path: string) => readable(await (await site.ask(path, { as: coach })).text());
const remove = (id: string) => post(`/admin/courses/${id}`, { intent: "delete" });
const restore = async (kind: string, id: string) => toastOf(await post(list, { kind, id }));
const write = () => site.services.db.write;
const course = (id: string) =>
  write().selectFrom("products").selectAll().where("id", "=", id).executeTakeFirstOrThrow();

/** How many modules and lessons of a course are not deleted. */
async function counts(productId: string) {
  const rows = await write()
    .selectFrom("modules")
    .leftJoin("lessons", (join) =>
      join.onRef("lessons.moduleId", "=", "modules.id").on("lessons.deletedAt", "is", null),
    )
    .select(["modules.id as module", "lessons.id as lesson"])
    .where("modules.productId", "=", productId)
    .where("modules.deletedAt", "is", null)
    .execute();
  return [new Set(rows.map(({ module }) => module)).size, rows.filter((row) => row.lesson).length];
}

async function complete(userId: string, lessonId: string, answer?: string) {
  const answers = answer ? [{ question: "How?", answer }] : [];
  await completeLesson(site.services, { userId, lessonId, answers, drafts: [] });
}

test("GET ?delete=: counts what goes and what students have, and shows nothing of it", async () => {
  const made = await createCourse(site.services, [[{}, {}], [{}]]);
  const [module] = made.modules;
  const lessonId = module?.lessons[0]?.id ?? "";
  for (const answer of ["words of the journal", undefined, "photograph"]) {
    const { id: userId } = await createPerson(site.services);
    await enroll(site.services, { userId, productId: made.id });
    const isPhotograph = answer === "photograph";
    await complete(userId, lessonId, isPhotograph ? undefined : answer);
    if (!isPhotograph) continue;
    const photograph = { id: newId(), userId, lessonId, size: 9, width: 3, height: 3 };
    await site.services.db.write
      .insertInto("journalPictures")
      .values({ ...photograph, createdAt: site.clock.now() })
      .execute();
  }
  for (const path of [`/admin/courses/${made.id}?delete=1`, `/admin?delete=${made.id}`]) {
    const page = await read(path);
    expect(page).not.toContain("words of the journal");
    const text = page.replaceAll(/<\/?strong>/g, "");
    expect(text).toContain("Its 2 modules and 3 lessons are deleted too.");
    expect(text).toContain("3 students are enrolled and can no longer open it.");
    expect(text).toContain("3 completed lessons, 2 journal entries.");
  }
  for (const path of [`/admin/modules/${module?.id}`, "/admin/modules"]) {
    const text = (await read(`${path}?delete=${module?.id}`)).replaceAll(/<\/?strong>/g, "");
    expect(text).toContain("Its 2 lessons are deleted too:");
    expect(text).toContain("<li>Lesson 1.2</li>");
    expect(text).toContain("3 completed lessons, 2 journal entries.");
  }
});

describe("POST /admin/courses/deleted", () => {
  test("restores a course as it was, without what was deleted before", async () => {
    const { id, slug, modules } = await createCourse(site.services, [[{}, {}], [{}]]);
    const student = await createPerson(site.services);
    const own = async () => ({ ...(await ownThingsOf(site.services, student.id)), sessions: 0 });
    await enroll(site.services, { userId: student.id, productId: id });
    await complete(student.id, modules[0]?.lessons[0]?.id ?? "", "Somehow");
    const before = await own();
    const moduleId = modules[1]?.id ?? "";
    await post("/admin/modules", { intent: "delete", id: moduleId });
    // By a process whose clock is ahead: the course is to be deleted at this very time, or after.
    const deletedAt = new Date(site.clock.now().getTime() + 500);
    await write().updateTable("modules").set({ deletedAt }).where("id", "=", moduleId).execute();
    const lessons = write().updateTable("lessons").set({ deletedAt });
    await lessons.where("moduleId", "=", moduleId).execute();
    const deleted = await remove(id);
    expect(toastOf(deleted)?.title).toBe("Course deleted successfully");
    expect(deleted.headers.get("location")).toBe("/admin");
    expect(await counts(id)).toEqual([0, 0]);
    expect((await site.ask(`/courses/${slug}`)).status).toBe(404);
    expect(toastOf(await remove(id))?.title).toBe("Error");

    const early = await restore("module", moduleId);
    expect(early?.description).toBe("Its course is deleted. Restore the course first.");
    expect((await restore("course", id))?.title).toBe("Course restored");
    expect(await counts(id)).toEqual([1, 2]);
    expect(await course(id)).toMatchObject({ slug, active: true, deletedAt: null });
    expect(await own()).toEqual(before);
    const player = await site.ask(`/courses/${slug}/learn`, { as: student });
    expect(await player.text()).toContain("50% Complete");
    expect((await restore("course", id))?.title).toBe("Error");
    expect((await restore("module", moduleId))?.title).toBe("Module restored");
    expect(await counts(id)).toEqual([2, 3]);
  });

  test("gives a course or a lesson another slug when its own was taken meanwhile", async () => {
    const { id, slug } = await createCourse(site.services, []);
    await remove(id);
    await createCourse(site.services, [], { slug });
    const taken = "Its slug was taken meanwhile. It is now";
    expect((await restore("course", id))?.description).toBe(`${taken} “${slug}-2”.`);
    expect((await course(id)).slug).toBe(`${slug}-2`);

    const other = await createCourse(site.services, [[{ slug: "water" }, {}]]);
    const [water, next] = other.modules[0]?.lessons ?? [];
    await post("/admin/lessons", { intent: "delete", id: water?.id ?? "" });
    const lessons = write().updateTable("lessons").set({ slug: "water" });
    await lessons.where("id", "=", next?.id ?? "").execute();
    const restored = await restore("lesson", water?.id ?? "");
    expect(restored).toMatchObject({ title: "Lesson restored" });
    expect(restored?.description).toBe(`${taken} “water-2”.`);
    expect(await counts(other.id)).toEqual([1, 2]);
  });

  test("restores for 30 days, and no longer", async () => {
    const [old, saved] = [
      await createCourse(site.services, [[{}]], { title: "Thirty days" }),
      await createCourse(site.services, [[{}]], { title: "Thirty other days" }),
    ];
    for (const { id } of [old, saved]) await remove(id);
    site.clock.forward(30 * 24 * 60 * minute - minute);
    expect(await read(list)).toContain("Restore Thirty days");
    expect((await restore("course", saved.id))?.title).toBe("Course restored");
    site.clock.forward(2 * minute);
    expect(await read(list)).not.toContain("Restore Thirty days");
    expect((await restore("course", old.id))?.description).toContain("more than 30 days ago");
    expect((await course(old.id)).deletedAt).not.toBeNull();
  });
});

test("GET /admin/courses/deleted: has all of 30 days, page by page, and restores from any page", async () => {
  const sketch = Array.from({ length: 120 }, (_, n) => ({ title: `Gone ${n}.`, slug: `g-${n}` }));
  const { modules } = await createCourse(site.services, [sketch]);
  const lessons = modules[0]?.lessons ?? [];
  // Some at the same moment, as one press deletes many.
  for (const [n, { id }] of lessons.entries())
    await write()
      .updateTable("lessons")
      .set({ deletedAt: new Date(site.clock.now().getTime() - Math.floor(n / 3) * 1000) })
      .where("id", "=", id)
      .execute();
  const found: string[] = [];
  let last = "";
  let next: string | undefined = list;
  while (next) {
    last = next;
    const page = await read(next);
    found.push(
      ...[...page.matchAll(/aria-label="Restore (Gone \d+\.)"/g)].map(([, title]) => title ?? ""),
    );
    next = /<a[^>]*rel="next"[^>]*>/.exec(page)?.[0].match(/href="([^"]*)"/)?.[1];
  }
  expect(found.toSorted()).toEqual(sketch.map(({ title }) => title).toSorted());
  const restored = await post(last, { kind: "lesson", id: lessons.at(-1)?.id ?? "" });
  expect(restored.headers.get("location")).toBe(last);
  expect(await read("/admin/lessons?q=Gone")).toContain("Gone 119.");
  // A place behind everything shows the beginning again, never an empty list.
  const end = Buffer.from(JSON.stringify(["after", "1999-01-01T00:00:00.000Z", "a"]));
  expect(await read(`${list}?at=${end.toString("base64url")}`)).toContain("Restore Gone");
});

test("POST /admin/courses/:id delete: no invitation of the course is pending any more", async () => {
  const { id } = await createCourse(site.services, []);
  const form = { intent: "invite", productId: id, email: "waits@example.org" };
  await post("/admin/enrollments/invite", form);
  const pending = "Some invitations are waiting";
  expect(await read("/admin/enrollments")).toContain(pending);
  await remove(id);
  expect(await read("/admin/enrollments")).not.toContain(pending);
});
