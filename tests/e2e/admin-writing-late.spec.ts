import {
  create,
  createCoach,
  expectSavedAsDraft,
  field,
  offer,
  openDesk,
  sampleLesson,
  save,
  text,
} from "./support/lessons.ts";
import { expect, test, toast } from "./support/test.ts";

test("words typed while a lesson is being created are offered at once, and saved on", async ({
  site,
  device,
}) => {
  const { moduleId } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const opened = Promise.withResolvers<void>();
  await page.route("**/admin/lessons/new.data*", async (route) => {
    if (route.request().method() === "POST") await opened.promise;
    return route.continue();
  });
  await openDesk(page, `/admin/lessons/new?module=${moduleId}`);
  await field(page, "Title").fill("Written in one go");
  await expect(field(page, "Slug")).toHaveValue("written-in-one-go");
  await text(page).fill("Before the press.");
  await create(page).click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await text(page).fill("Before the press. And after it.");
  opened.resolve();
  await expect(toast(page, "Lesson created successfully")).toBeVisible();
  await expect(offer(page)).toContainText("“Written in one go”");
  await expect(offer(page)).not.toContainText("saved elsewhere");
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await expect(text(page)).toHaveValue("Before the press. And after it.");
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  const lesson = await site.services.db.read
    .selectFrom("lessons")
    .select("content")
    .where("title", "=", "Written in one go")
    .executeTakeFirstOrThrow();
  expect(lesson.content).toBe("Before the press. And after it.");
  await page.reload();
  await expect(text(page)).toHaveValue("Before the press. And after it.");
  await expect(offer(page)).toHaveCount(0);
});

test("a continued draft leaves its lesson where it was put meanwhile", async ({ site, device }) => {
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  await openDesk(page, `/admin/lessons/${id}`);
  await text(page).fill("Begun at its old place.");
  await expectSavedAsDraft(page);
  await site.services.db.write
    .updateTable("lessons")
    .set({ orderNum: 7 })
    .where("id", "=", id)
    .execute();
  await openDesk(page, `/admin/lessons/${id}`);
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await expect(text(page)).toHaveValue("Begun at its old place.");
  await expect(field(page, "Order number")).toHaveValue("7");
  await save(page).click();
  await expect(toast(page, "Lesson updated successfully")).toBeVisible();
  expect(await sampleLesson(site.services)).toMatchObject({
    content: "Begun at its old place.",
    orderNum: 7,
  });
});

test("a page of somebody else's in the answer's place is no answer", async ({ site, device }) => {
  const { id } = await sampleLesson(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const portal = { contentType: "text/html", body: "<p>Sign in to this network</p>" };
  await page.route("**/draft", (route) => route.fulfill(portal));
  await openDesk(page, `/admin/lessons/${id}`);
  await text(page).fill("In a hotel.");
  await expect(
    page.getByText("Not saved: no connection; your words are kept on this device"),
  ).toBeVisible();
  await page.unroute("**/draft");
  await page.reload();
  await page.getByRole("link", { name: "Continue", exact: true }).click();
  await expect(text(page)).toHaveValue("In a hotel.");
});
