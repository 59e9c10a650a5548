import { describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { adminOfFile } from "../../support/people-of-tests.ts";
import { sendPhotograph } from "../../support/photographs.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile({ LOG_LEVEL: "silent" });
const admin = adminOfFile(site);

async function student(name: string) {
  const { services } = site;
  const person = await createPerson(services, { name });
  const course = await createCourse(services, [[{}, {}]]);
  const createdAt = services.clock.now();
  const row = { id: newId(), userId: person.id, productId: course.id, createdAt };
  await services.db.write.insertInto("enrollments").values(row).execute();
  const complete = (at: number) =>
    services.db.write
      .insertInto("progress")
      .values({
        userId: person.id,
        lessonId: course.modules[0]?.lessons[at]?.id ?? "",
        createdAt: services.clock.now(),
      })
      .execute();
  const ask = (form: Record<string, string>) =>
    site.ask("/mail-preferences", { as: person, form: { "care-shown": "care", ...form } });
  return { ...person, course, complete, ask };
}

async function listed() {
  const answer = await site.ask("/admin/export/care-list", { as: admin });
  const [, ...lines] = (await answer.text()).trim().split("\r\n");
  return lines.map((line) => line.split(",")[0]).sort();
}

const write = (id: string) => site.ask("/admin", { as: admin, form: { intent: "written", id } });

describe("the care list", () => {
  test("has who asked for it and was quiet for three weeks, and no one else", async () => {
    const [ada, bea, ida] = [await student("Ada"), await student("Bea"), await student("Ida")];
    const page = readable(await (await site.ask("/mail-preferences", { as: ada })).text());
    expect(page).toContain("Write to me if I am quiet for three weeks");
    expect(page).not.toMatch(/name="care"[^>]*checked/);
    expect((await ada.ask({ care: "care" })).status).toBe(303);
    await ida.ask({ care: "care" });
    await bea.ask({});
    site.clock.forwardDays(20);
    expect(await listed()).toEqual([]);
    await ida.complete(0);
    site.clock.forwardDays(1.1);
    expect(await listed()).toEqual(["Ada"]);
    const overview = readable(await (await site.ask("/admin", { as: admin })).text());
    expect(overview).toContain("Asked you to write");
    expect(overview).toContain(`/admin/students/${ada.id}`);

    expect(toastOf(await write(ada.id))?.title).toMatch(/^Noted/);
    expect(toastOf(await write(ada.id))?.title).toBe("Error");
    expect(toastOf(await write(bea.id))?.title).toBe("Error");
    expect(await listed()).toEqual([]);
    site.clock.forwardDays(40);
    expect(await listed()).toEqual(["Ida"]);
    // After the next sign three weeks begin again.
    await ada.complete(0);
    expect(await listed()).toEqual(["Ida"]);
    site.clock.forwardDays(21.1);
    expect(await listed()).toEqual(["Ada", "Ida"]);
    await ida.ask({});
    expect(await listed()).toEqual(["Ada"]);
    // Nothing is left to do.
    await ada.complete(1);
    site.clock.forwardDays(22);
    expect(await listed()).toEqual([]);
  });

  test("is no question for an administrator, and leaves with the account", async () => {
    const page = readable(await (await site.ask("/mail-preferences", { as: admin })).text());
    expect(page).not.toContain("quiet for three weeks");
    await site.ask("/mail-preferences", { as: admin, form: { "care-shown": "1", care: "1" } });
    const eva = await student("Eva");
    await eva.ask({ care: "care" });
    const { write: db } = site.services.db;
    await db.deleteFrom("profiles").where("id", "=", eva.id).execute();
    const ids = await db.selectFrom("careRequests").select("userId").execute();
    expect(ids.map(({ userId }) => userId)).not.toContain(eva.id);
    expect(ids.map(({ userId }) => userId)).not.toContain(admin.id);
  });

  test("notes a sign by what a student types, plays or photographs, to the hour", async () => {
    const uma = await student("Uma");
    await uma.ask({ care: "care" });
    const { db, clock } = site.services;
    const active = async () =>
      (
        await db.write
          .selectFrom("careRequests")
          .select("activeAt")
          .where("userId", "=", uma.id)
          .executeTakeFirstOrThrow()
      ).activeAt.getTime();
    const first = await active();
    site.clock.forwardDays(2);
    const now = clock.now();
    const draft = { id: newId(), kind: "journal" as const, userId: uma.id, content: "sealed" };
    const lessonId = uma.course.modules[0]?.lessons[0]?.id ?? "";
    const times = { createdAt: now, updatedAt: now };
    const row = { ...draft, lessonId, baseRevision: 0, revision: 1, ...times };
    await db.write.insertInto("drafts").values(row).execute();
    expect(await active()).toBe(now.getTime());
    expect(first).toBeLessThan(now.getTime());
    site.clock.forwardDays(1);
    const later = clock.now();
    const position = { userId: uma.id, lessonId, kind: "video" as const, key: "a" };
    await db.write
      .insertInto("playbackPositions")
      .values({ ...position, positionMs: 5, updatedAt: later })
      .execute();
    expect(await active()).toBe(later.getTime());
    site.clock.forwardDays(1);
    const added = await sendPhotograph(
      site,
      { ...uma, cookie: await site.cookieOf(uma) },
      { id: lessonId },
    );
    expect(added.status).toBe(201);
    expect(await active()).toBeGreaterThan(later.getTime());
  });
});
