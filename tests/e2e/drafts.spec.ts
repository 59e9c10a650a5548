import type { Page } from "@playwright/test";
import { newId } from "~/platform/db/ids.ts";
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
import { createStudent, draftsOf, journalsOf, leaveDraft } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const hereAgain = (page: Page) =>
  page.getByText("Your words from a minute ago are here again.", { exact: true });
const others = (page: Page) =>
  page.getByRole("region", { name: "Other drafts of this lesson" }).getByRole("listitem");
const open = (page: Page, words: string) =>
  page.getByRole("link", { name: `Open : ${words}` }).click();
async function discard(page: Page, words: string) {
  await page.locator("summary", { hasText: `Discard: ${words}` }).click();
  await page.getByRole("button", { name: "Yes, discard it" }).locator("visible=true").click();
}
const saved = (page: Page) => expect(page.getByText(keptLine)).toBeVisible();
const lookAgain = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));

test("a draft is saved, comes back by itself and is sent, also when it is typed early", async ({
  site: { services },
  device,
}) => {
  const student = await createStudent(services);
  const page = await device({ as: student });
  const drafts = () => draftsOf(services, student.id);
  /** The words of a tab that was closed before the server had them. */
  const leaveOnDevice = (words: string) =>
    page.evaluate(
      ([id, userId, words]) => {
        const field = (name: string) => document.querySelector<HTMLInputElement>(`[name=${name}]`);
        const lessonId = field("lessonId")?.value;
        const answers = [{ question: field("question")?.value, answer: words }];
        const draft = { draftId: id, revision: 3, absorbed: [], at: Date.now(), lessonId, answers };
        localStorage.setItem(`draft:${userId}:${id}`, JSON.stringify(draft));
      },
      [newId(), student.id, words],
    );

  await test.step("text typed before the scripts have loaded is saved", async () => {
    const load = await openEarly(page, blueDot);
    await box(page, 2).fill("I could not wait.");
    await load();
    await saved(page);
    await expect(box(page, 2)).toHaveValue("I could not wait.");
    expect(await drafts()).toEqual(["|I could not wait."]);
  });

  await test.step("it stands in its box again after each reload, and nothing is asked or written", async () => {
    for (let times = 0; times < 3; times += 1) {
      await page.reload();
      await hydrated(page);
      await expect(box(page, 2)).toHaveValue("I could not wait.");
      await expect(hereAgain(page)).toHaveCount(1);
      await expect(others(page)).toHaveCount(0);
    }
    await look(page, "draft-restored", { night: true });
    expect(await drafts()).toEqual(["|I could not wait."]);
    await box(page, 1).fill("Only the newer one.");
    await saved(page);
    expect(await drafts()).toEqual(["Only the newer one.|I could not wait."]);
  });

  await test.step("another lesson opens with empty boxes, and a reload in the last moment is survived", async () => {
    await box(page, 1).fill("Left in the middle of");
    await lessons(page).getByRole("link", { name: secondLesson }).click();
    await expect(heading(page)).toHaveText(secondLesson);
    await expect(box(page, 1)).toHaveValue("");
    await expect(hereAgain(page)).toHaveCount(0);
    await box(page, 1).fill("Typed, and gone at once.");
    await page.reload();
    await hydrated(page);
    await expect(box(page, 1)).toHaveValue("Typed, and gone at once.");
    await expect(hereAgain(page)).toHaveCount(1);
  });

  await test.step("also when its answer was made before the save, and comes after it", async () => {
    const confirmed = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await page.route("**/learn?lesson=*", async (route) => {
      const answer = await route.fetch();
      await (await confirmed).finished();
      await route.fulfill({ response: answer });
    });
    await box(page, 1).fill("Typed, and saved in the meantime.");
    await page.reload();
    await page.unroute("**/learn?lesson=*");
    await hydrated(page);
    await expect(box(page, 1)).toHaveValue("Typed, and saved in the meantime.");
    await expect(others(page)).toHaveCount(0);
  });

  await test.step("an emptied box stays empty, also after a reload in the last moment", async () => {
    await box(page, 1).fill("");
    await page.reload();
    await hydrated(page);
    await expect(box(page, 1)).toHaveValue("");
    await expect.poll(drafts).toHaveLength(1);
    await expect(hereAgain(page)).toHaveCount(0);
  });

  await test.step("the way back brings the draft of the first lesson, also before the scripts have loaded", async () => {
    await page.getByRole("link", { name: "Previous" }).click();
    await expect(heading(page)).toHaveText(firstLesson);
    await expect(box(page, 1)).toHaveValue("Left in the middle of");
    await expect(box(page, 2)).toHaveValue("I could not wait.");
    const load = await openEarly(page, blueDot);
    await expect(box(page, 1)).toHaveValue("Left in the middle of");
    await box(page, 1).fill("Left in the middle of a sentence.");
    await load();
    await saved(page);
    await expect(box(page, 1)).toHaveValue("Left in the middle of a sentence.");
    await expect.poll(drafts).toEqual(["Left in the middle of a sentence.|I could not wait."]);
  });

  await test.step("older drafts are listed, are opened into untouched boxes, and join typed words", async () => {
    await leaveDraft(services, student.id, "the-point-the-needle-rests-on", "Last month.", 40);
    await leaveDraft(services, student.id, "the-point-the-needle-rests-on", "Last week.", 7);
    await openPlayer(page);
    await expect(others(page)).toHaveText([/ at .*Last week\./, / at .*Last month\./]);
    await look(page, "draft-others", { night: true });
    await open(page, "Last month.");
    await expect(box(page, 1)).toHaveValue("Last month.");
    await expect(box(page, 1)).toBeFocused();
    await expect(others(page)).toHaveText([/Left in the middle/, /Last week\./]);
    await expect.poll(drafts).toHaveLength(3);
    await box(page, 1).fill("Last month. And now.");
    await open(page, "Last week.");
    await expect(box(page, 1)).toHaveValue("Last week.\n\nLast month. And now.");
    await expect
      .poll(drafts)
      .toEqual([
        "Last week.\n\nLast month. And now.|",
        "Left in the middle of a sentence.|I could not wait.",
      ]);
  });

  await test.step("a listed draft is discarded after a question, and the boxes stay", async () => {
    await page.locator("summary", { hasText: "Discard: Left in" }).click();
    await look(page, "draft-discard", { night: true });
    await page.locator("summary", { hasText: "Discard: Left in" }).click();
    await discard(page, "Left in");
    await expect(others(page)).toHaveCount(0);
    await expect(box(page, 1)).toHaveValue("Last week.\n\nLast month. And now.");
    await expect.poll(drafts).toHaveLength(1);
  });

  await test.step("what a closed tab left on the device comes back too", async () => {
    await leaveOnDevice("Before the battery died.");
    await openPlayer(page);
    await expect(box(page, 1)).toHaveValue("Before the battery died.");
    await expect(hereAgain(page)).toBeVisible();
    await expect(others(page)).toHaveText([/Last week\./]);
  });

  await test.step("where something was typed before that, it is listed instead", async () => {
    await leaveOnDevice("Also before it died.");
    const load = await openEarly(page, blueDot);
    await box(page, 2).fill("Typed early.");
    await load();
    await expect(others(page).filter({ hasText: "Also before it died." })).toBeVisible();
    await saved(page);
    await expect(box(page, 1)).toHaveValue("Before the battery died.");
    await expect(box(page, 2)).toHaveValue("Typed early.");
    await expect.poll(drafts).toContain("Before the battery died.|Typed early.");
    for (const words of ["Also before", "Last week."]) await discard(page, words);
    await expect(others(page)).toHaveCount(0);
    expect(await drafts()).toEqual(["Before the battery died.|Typed early."]);
  });

  await test.step("typed over before the scripts have loaded, it is listed, and both are saved", async () => {
    const load = await openEarly(page, blueDot);
    await box(page, 1).fill("Something else.");
    await load();
    await saved(page);
    await expect(box(page, 1)).toHaveValue("Something else.");
    await expect(others(page)).toHaveText([/Before the battery died\./]);
    expect(await drafts()).toEqual([
      "Something else.|Typed early.",
      "Before the battery died.|Typed early.",
    ]);
    await box(page, 1).fill("");
    await box(page, 2).fill("");
    await expect.poll(drafts).toHaveLength(1);
  });

  await test.step("discarded from the boxes, it is gone everywhere", async () => {
    await openPlayer(page);
    await discard(page, "Before the battery");
    for (const number of [1, 2]) await expect(box(page, number)).toHaveValue("");
    await expect.poll(drafts).toEqual([]);
    await openPlayer(page);
    await expect(box(page, 1)).toHaveValue("");
    await expect(hereAgain(page)).toHaveCount(0);
  });

  await test.step("sent, it is the journal, and no draft, also on the device", async () => {
    await box(page, 1).fill("In the end.");
    await saved(page);
    await box(page, 1).fill("In the end, this.");
    await complete(page);
    await expect(heading(page)).toHaveText(secondLesson);
    expect(await drafts()).toEqual([]);
    expect((await journalsOf(services, student.id))[0]).toContain("In the end, this.");
    const stored = () =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft:")));
    await expect.poll(stored).toEqual([]);
  });
});

test("two tabs write the same lesson, each in a draft of its own, and lose nothing", async ({
  site: { services },
  device,
}) => {
  const student = await createStudent(services);
  const first = await device({ as: student });
  const second = await first.context().newPage();
  const third = await first.context().newPage();
  const drafts = () => draftsOf(services, student.id);

  await test.step("a second tab shows a copy of what is typed in the first, and both go on", async () => {
    await openPlayer(first);
    await box(first, 1).fill("In the first tab.");
    await saved(first);
    await openPlayer(second);
    await expect(box(second, 1)).toHaveValue("In the first tab.");
    await expect(hereAgain(second)).toBeVisible();
    expect(await drafts()).toEqual(["In the first tab.|"]);
    await box(first, 1).pressSequentially(" A");
    await expect.poll(drafts).toEqual(["In the first tab. A|"]);
    await box(second, 1).press("Control+End");
    await box(second, 1).pressSequentially(" B");
    await expect.poll(drafts).toEqual(["In the first tab. B|", "In the first tab. A|"]);
  });

  await test.step("a third tab has the newest in its boxes, and lists the other", async () => {
    await openPlayer(third);
    await expect(box(third, 1)).toHaveValue("In the first tab. B");
    await expect(others(third)).toHaveText([/In the first tab\. A/]);
  });

  await test.step("looking at a tab again does not break off what was pressed there", async () => {
    const [asking, loading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = (address: string, { promise }: { promise: Promise<void> }) =>
      third.route(address, (route) => promise.then(() => route.continue()));
    await hold("**/api/session", asking);
    await hold("**/learn.data*", loading);
    const asked = third.waitForRequest("**/api/session");
    await lookAgain(third);
    await asked;
    const link = lessons(third).getByRole("link", { name: secondLesson });
    await link.click();
    await expect(link).toHaveAttribute("data-pending");
    const loadedAgain = third.waitForRequest("**/learn.data*");
    asking.resolve();
    await loadedAgain;
    loading.resolve();
    await expect(heading(third)).toHaveText(secondLesson);
    await third.unrouteAll();
    await openPlayer(third);
  });

  await test.step("what was sent is gone from a tab that is looked at again", async () => {
    await complete(first);
    await lookAgain(third);
    await expect(third.getByText("You have an unsent draft from a minute ago.")).toHaveCount(1);
    await expect(box(third, 1)).toHaveCount(0);
    await expect(third.getByText("In the first tab. A")).toBeVisible();
  });

  await test.step("the second that is sent is said to be a draft, and leads to it", async () => {
    await second.getByRole("button", { name: "Mark as Complete" }).click();
    const notice = second.getByText(
      /^This lesson was already completed a minute ago, perhaps on another device\. What you wrote is saved as a draft\.$/,
    );
    await expect(notice).toBeInViewport();
    await expect(second.locator("#saved-draft")).toBeFocused();
    await expect(heading(second)).toHaveText(firstLesson);
    await expect(second.getByText("In the first tab. A")).toBeVisible();
    await expect(second.getByText("In the first tab. B")).toBeVisible();
    await look(second, "draft-beside-completed", { night: true });
    const [journal] = await journalsOf(services, student.id);
    expect(journal).toContain("In the first tab. A");
    expect(await drafts()).toEqual(["In the first tab. B"]);
    await second.getByRole("link", { name: "Add it to your journal" }).click();
    await expect(second.getByText("In the first tab. B")).toBeInViewport();
    await expect(second.getByRole("link", { name: "Go on with it" })).toBeInViewport();
  });

  await test.step("it can be deleted beside the completed lesson", async () => {
    await openPlayer(second, `${blueDot}?lesson=the-point-the-needle-rests-on`);
    await expect(second.getByText(/already completed/)).toHaveCount(0);
    await second.getByText(/^You have an unsent draft from .* Read it$/).click();
    await expect(second.getByText("In the first tab. B")).toBeVisible();
    await second.getByRole("button", { name: "Delete this draft" }).click();
    await expect(second.getByText("In the first tab. B")).toHaveCount(0);
    expect(await drafts()).toEqual([]);
  });
});
