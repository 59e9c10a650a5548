import type { Page } from "@playwright/test";
import {
  blueDot,
  box,
  complete,
  firstLesson,
  heading,
  hydrated,
  keptLine,
  lessons,
  openEarly,
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, draftsOf, journalsOf } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const offers = (page: Page) =>
  page.getByText(/^You have an unsent draft from (this|last|yesterday) \w+\.$/);
const restore = (page: Page) => page.getByRole("link", { name: "Restore it?" });
const saved = (page: Page) => expect(page.getByText(keptLine)).toBeVisible();

test("a draft is saved, offered, restored and sent, also when it is typed early", async ({
  site: { services },
  device,
}) => {
  const student = await createStudent(services);
  const page = await device({ as: student });
  const drafts = () => draftsOf(services, student.id);

  await test.step("text typed before the scripts have loaded is saved", async () => {
    const load = await openEarly(page, blueDot);
    await box(page, 2).fill("I could not wait.");
    await load();
    await saved(page);
    await expect(box(page, 2)).toHaveValue("I could not wait.");
    expect(await drafts()).toEqual(["|I could not wait."]);
  });

  await test.step("it is offered beside empty boxes, and joins what was typed meanwhile", async () => {
    await page.reload();
    await hydrated(page);
    await expect(box(page, 2)).toHaveValue("");
    await expect(offers(page)).toHaveCount(1);
    await look(page, "draft-offered", { night: true });
    await box(page, 1).fill("Only the newer one.");
    await box(page, 2).fill("Newer.");
    await restore(page).click();
    await expect(box(page, 1)).toHaveValue("Only the newer one.");
    await expect(box(page, 2)).toHaveValue("I could not wait.\n\nNewer.");
    await expect(box(page, 1)).toBeFocused();
    await expect(offers(page)).toHaveCount(0);
    await saved(page);
    await expect.poll(drafts).toEqual(["Only the newer one.|I could not wait.\n\nNewer."]);
    await look(page, "draft-restored");
  });

  await test.step("another lesson opens with empty boxes, and a reload in the last moment is survived", async () => {
    await box(page, 1).fill("Left in the middle of");
    await lessons(page).getByRole("link", { name: secondLesson }).click();
    await expect(heading(page)).toHaveText(secondLesson);
    await expect(box(page, 1)).toHaveValue("");
    await expect(offers(page)).toHaveCount(0);
    await box(page, 1).fill("Typed, and gone at once.");
    await page.reload();
    await restore(page).click();
    await expect(box(page, 1)).toHaveValue("Typed, and gone at once.");
    await box(page, 1).fill("");
    await expect.poll(drafts).toHaveLength(1);
  });

  await test.step("the way back offers the draft of the first lesson", async () => {
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(heading(page)).toHaveText(firstLesson);
    await expect(box(page, 1)).toHaveValue("");
    await expect(offers(page)).toHaveCount(1);
  });

  await test.step("its address restores it, again and again, until it is continued; also before the scripts have loaded", async () => {
    const href = (await restore(page).getAttribute("href")) ?? "";
    await openPlayer(page, href);
    await expect(box(page, 1)).toHaveValue("Left in the middle of");
    const load = await openEarly(page, href);
    await expect(box(page, 1)).toHaveValue("Left in the middle of");
    await box(page, 1).fill("Left in the middle of a sentence.");
    await load();
    await saved(page);
    await expect(box(page, 1)).toHaveValue("Left in the middle of a sentence.");
    await expect
      .poll(drafts)
      .toEqual(["Left in the middle of a sentence.|I could not wait.\n\nNewer."]);
  });

  await test.step("emptied boxes leave no draft", async () => {
    for (const number of [1, 2]) await box(page, number).fill("");
    await expect.poll(drafts).toEqual([]);
    await openPlayer(page);
    await expect(offers(page)).toHaveCount(0);
  });

  await test.step("sent, it is the journal, and no draft", async () => {
    await box(page, 1).fill("In the end.");
    await saved(page);
    await complete(page);
    expect(await drafts()).toEqual([]);
    expect((await journalsOf(services, student.id))[0]).toContain("In the end.");
  });
});

test("two tabs write the same lesson, each in a draft of its own, and lose nothing", async ({
  site: { services },
  device,
}) => {
  const student = await createStudent(services);
  const first = await device({ as: student });
  const second = await first.context().newPage();
  const drafts = () => draftsOf(services, student.id);

  await test.step("a draft restored in a second tab goes on in both", async () => {
    await openPlayer(first);
    await box(first, 1).fill("In the first tab.");
    await saved(first);
    await openPlayer(second);
    await restore(second).click();
    await saved(second);
    await box(first, 1).pressSequentially(" A");
    await expect.poll(drafts).toContain("In the first tab. A|");
    expect(await drafts()).toContain("In the first tab.|");
  });

  await test.step("a third tab is offered both", async () => {
    await box(second, 1).fill("In the second tab.");
    await expect.poll(drafts).toContain("In the second tab.|");
    const third = await first.context().newPage();
    await openPlayer(third);
    await expect(offers(third)).toHaveCount(2);
    await third.close();
  });

  await test.step("the second that is sent stays a draft beside the completed lesson", async () => {
    await complete(first);
    await complete(second);
    const [journal] = await journalsOf(services, student.id);
    expect(journal).toContain("In the first tab. A");
    expect(await drafts()).toEqual(["In the second tab."]);
    await openPlayer(second, `${blueDot}?lesson=the-point-the-needle-rests-on`);
    await expect(second.getByText("In the first tab. A")).toBeVisible();
    await second.getByText(/^You have an unsent draft from .* Read it$/).click();
    await expect(second.getByText("In the second tab.")).toBeVisible();
    await look(second, "draft-beside-completed", { night: true });
    await second.getByRole("button", { name: "Delete this draft" }).click();
    await expect(second.getByText("In the second tab.")).toHaveCount(0);
    expect(await drafts()).toEqual([]);
  });
});
