import type { Page } from "@playwright/test";
import { updateLesson } from "~/features/courses/lessons/commands.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/services.ts";
import { createCourse } from "../support/courses.ts";
import { attacks, lineAttacks } from "../support/xss.ts";
import { createCoach, field, openDesk, preview, save, text } from "./support/lessons.ts";
import { expect, test } from "./support/test.ts";

/** One lesson an attack: in its text, its title, its prompts and the name of its film. */
async function createAttackedCourse(services: Services) {
  const sketches = attacks.map((content, at) => ({
    slug: `attack-${at}`,
    title: lineAttacks[at] ?? "",
    content,
    prompts: [{ question: content, placeholder: lineAttacks[at] ?? "" }],
  }));
  const course = await createCourse(services, [sketches], { title: lineAttacks[0] });
  const lessons = course.modules[0]?.lessons ?? [];
  for (const [at, { id }] of lessons.entries())
    await services.db.write
      .insertInto("mediaFiles")
      .values({
        id: newId(),
        bucket: "course-videos",
        key: `attacks/${at}.mp4`,
        fileName: lineAttacks[at] ?? "",
        contentType: "video/mp4",
        size: 1,
        lessonId: id,
        createdAt: services.clock.now(),
      })
      .execute();
  return { ...course, lessons };
}

/** Notes whatever runs: the function that the attacks call, and any dialog. */
async function listen(page: Page): Promise<string[]> {
  const ran: string[] = [];
  await page.exposeFunction("xss", () => ran.push(`xss() on ${page.url()}`));
  page.on("dialog", async (dialog) => {
    ran.push(`a dialog on ${page.url()}`);
    await dialog.dismiss();
  });
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) =>
      (window as unknown as { xss(): void }).xss.call(event),
    ),
  );
  return ran;
}

/** What must not be in a page, wherever words of the coach are shown. */
function dangers(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const own = new Set(["autofocus"]);
    for (const element of document.querySelectorAll("main *")) {
      for (const { name } of element.attributes)
        if (name.startsWith("on") && !own.has(name)) found.push(`${element.tagName} ${name}`);
      const href = element.getAttribute("href") ?? element.getAttribute("src") ?? "";
      if (/^\W*(javascript|vbscript|data:text)/i.test(href)) found.push(href);
    }
    const inProse =
      ".prose :is(script, style, iframe, object, embed, form, button, svg, math, base)";
    for (const element of document.querySelectorAll(inProse)) found.push(element.outerHTML);
    return found;
  });
}

test("nothing that a text, a title, a question or a file is called runs for a reader", async ({
  site,
  device,
}) => {
  test.setTimeout(600_000);
  const course = await createAttackedCourse(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const ran = await listen(page);
  for (const [at, { slug }] of course.lessons.entries()) {
    await page.goto(`/courses/${course.slug}/learn?view=student&lesson=${slug}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(lineAttacks[at] ?? "");
    expect(await dangers(page), attacks[at]).toEqual([]);
  }
  expect(ran).toEqual([]);
});

test("nothing of it runs for its author: list, editor, preview, both versions", async ({
  site,
  device,
  watch,
}) => {
  test.setTimeout(600_000);
  watch.expect(/^answer 409: POST \/admin\/lessons\//);
  const course = await createAttackedCourse(site.services);
  const page = await device({ as: await createCoach(site.services) });
  const ran = await listen(page);
  await openDesk(page, `/admin/lessons?course=${course.id}`);
  expect(await dangers(page)).toEqual([]);
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByRole("link", { name: "Previous" })).toBeVisible();
  expect(await dangers(page)).toEqual([]);
  const [first, second] = course.lessons;
  await openDesk(page, `/admin/lessons?delete=${first?.id}`);
  await expect(page.getByRole("dialog")).toContainText(lineAttacks[0] ?? "");

  for (const { id } of course.lessons.filter((_, at) => at % 12 === 0)) {
    await openDesk(page, `/admin/lessons/${id}`);
    expect(await dangers(page)).toEqual([]);
  }

  await openDesk(page, `/admin/lessons/${second?.id}`);
  for (const [at, attack] of attacks.entries()) {
    const shown = page.waitForResponse(
      (response) =>
        response.url().endsWith("/preview") &&
        (response.request().postDataJSON() as { content: string }).content === attack,
    );
    await field(page, "Title").fill(lineAttacks[at] ?? "");
    await field(page, "Question 1").fill(attack);
    await text(page).fill(attack);
    await shown;
    await expect(preview(page)).toContainText(lineAttacks[at]?.split(" ")[0] ?? "");
    expect(await dangers(page), attack).toEqual([]);
  }

  const others = attacks.join("\n\n").slice(0, 100_000);
  const saved = await updateLesson(site.services, {
    id: second?.id ?? "",
    moduleId: second?.moduleId ?? "",
    revision: 1,
    slug: "attacked",
    title: lineAttacks[3] ?? "",
    orderNum: 1,
    dripDay: 0,
    content: others,
    prompts: attacks.slice(0, 50).map((question) => ({ question, placeholder: question })),
  });
  expect(saved.kind).toBe("saved");
  await save(page).click();
  await expect(page.getByRole("heading", { name: "Changed elsewhere" })).toBeVisible();
  expect(await dangers(page)).toEqual([]);
  await page.getByRole("button", { name: "Take all of theirs" }).click();
  await expect(text(page)).toHaveValue(others);
  expect(await dangers(page)).toEqual([]);
  expect(ran).toEqual([]);
});
