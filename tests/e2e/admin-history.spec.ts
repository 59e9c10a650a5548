import { updateCourse } from "~/features/courses/courses.server.ts";
import { updateLesson } from "~/features/lesson-editor/lessons.server.ts";
import { createCoach, createLesson, field, openAdmin, text } from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "own" });

const night = { night: true };
const paragraph =
  "Take a stone from the river, one that fits into your hand. It was there before you, and it will be there when you have gone home.";
const rest = Array.from({ length: 8 }, (_, at) => `${at + 1}. ${paragraph}`).join("\n\n");

test("an older version of a lesson, and of a course, is looked at and brought back", async ({
  site: { services },
  device,
}) => {
  const coach = await createCoach(services);
  const actor = { id: coach.id, name: "Nora" };
  const { id, moduleId, path, stored } = await createLesson(services);
  const page = await device({ as: coach });
  const bringBack = page.getByRole("button", { name: "Bring this version back" });

  await test.step("nothing was saved yet", async () => {
    await openAdmin(page, path);
    await page.getByRole("link", { name: "History" }).click();
    await expect(page.getByRole("heading", { name: "No versions yet" })).toBeVisible();
    await look(page, "admin-lesson-history-empty", night);
  });

  await test.step("a lesson that was changed", async () => {
    const lesson = { id, moduleId, title: "Stones by the river", slug: "stones", orderNum: 1 };
    const first = [{ question: "Where are you tonight?", placeholder: "A place" }];
    const save = (content: string, more: object) =>
      updateLesson(
        { ...services, actor },
        {
          ...{ ...lesson, dripDay: 0, content, prompts: first, revision: 1, ...more },
        },
      );
    await save(`Sit down where you can hear the water.\n\n${rest}`, {});
    const other = { revision: 2, dripDay: 3, prompts: null, title: "Stones" };
    await save(`Sit down where it is quiet, if you can.\n\n${rest}\n\nGo home slowly.`, other);
    await openAdmin(page, `${path}/history`);
    await expect(page.getByRole("rowheader")).toHaveText(["Version 3", "Version 2", "Version 1"]);
    await page.getByRole("link", { name: "Version 2" }).click();
    await expect(page.getByText("Saved on")).toContainText("by Nora");
    await expect(page.locator("del").filter({ hasText: "Go home slowly." })).toBeVisible();
    await look(page, "admin-lesson-history", night);
    await bringBack.click();
    await expect(toast(page, "Version 2 is back, as the newest version")).toBeVisible();
    await expect(page.getByRole("rowheader").first()).toHaveText("Version 4");
    expect(await stored()).toMatchObject({ dripDay: 0, prompts: first, revision: 4 });
  });

  await test.step("somebody else saves meanwhile", async () => {
    await page.getByRole("link", { name: "Version 3" }).click();
    // The page is to know the version before the one of somebody else.
    await expect(page.getByRole("heading", { name: "Version 3" })).toBeVisible();
    const { title, slug, orderNum, dripDay, prompts, revision } = await stored();
    const fields = { id, moduleId, title, slug, orderNum, dripDay, prompts, revision };
    await updateLesson(services, { ...fields, content: "Of another admin." });
    await bringBack.click();
    await expect(toast(page, "Nothing was brought back.")).toBeVisible();
    const theirs = page.locator("del").filter({ hasText: "Of another admin." });
    await expect(theirs).toBeVisible();
    await look(page, "admin-lesson-history-refused");
    await openAdmin(page, path);
    await expect(text(page)).toHaveValue("Of another admin.");
  });

  await test.step("a course", async () => {
    const module = services.db.read.selectFrom("modules").select("productId");
    const { productId } = await module.where("id", "=", moduleId).executeTakeFirstOrThrow();
    const fields = { title: "A course", slug: "water", description: null, priceCents: 9700 };
    const shown = { comingSoon: true, lessonEmails: "off", active: false } as const;
    await updateCourse(services, { id: productId, revision: 1, ...fields, ...shown });
    await openAdmin(page, `/admin/courses/${productId}`);
    await look(page, "admin-course-actions", night);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("link", { name: "Version 1" }).click();
    await expect(page.getByText("This activates the course: visitors see it.")).toBeVisible();
    await look(page, "admin-course-history", night);
    await bringBack.click();
    await expect(toast(page, "Version 1 is back, as the newest version")).toBeVisible();
    await openAdmin(page, `/admin/courses/${productId}`);
    await expect(field(page, "Price")).toHaveValue("197.00");
  });
});
