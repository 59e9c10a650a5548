import type { Page } from "@playwright/test";
import { deleteDraft, saveDraft } from "~/features/journal/drafts.server.ts";
import { storageLimits } from "~/features/journal/rules.ts";
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
  openPlayer,
  secondLesson,
} from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, draftsOf, journalsOf } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const onDevice =
  "The site cannot be reached just now. What you wrote is saved on this device, for about a week.";
const again = "No connection. We will try again when it is back.";
const notSent = "No connection. What you typed is still here. Please try again when it is back.";
const isBack = "The connection is back. Please try again.";
const disconnected = /^failed: .* net::ERR_INTERNET_DISCONNECTED$/;
const hereAgain = (page: Page) => page.getByText(/^Your words from .* are here again\.$/);
const onlyHere = (page: Page) =>
  page.getByText(
    "Your words are here again. They are saved only on this device, for about a week.",
  );
const submit = (page: Page) => page.getByRole("button", { name: "Mark as Complete" }).click();

test("writing offline loses nothing, whatever is pressed or closed", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(disconnected);
  const student = await createStudent(services);
  const page = await device({ as: student });
  const context = page.context();
  const drafts = () => draftsOf(services, student.id);

  await test.step("a lesson cannot be sent or left, and the text stays", async () => {
    await openPlayer(page);
    await context.setOffline(true);
    await box(page, 1).fill("On the train, in the tunnel.");
    await expect(page.getByText(onDevice, { exact: true })).toBeVisible();
    await submit(page);
    await expect(page.getByRole("alert")).toHaveText(again);
    await expect(box(page, 1)).toHaveValue("On the train, in the tunnel.");
    await look(page, "offline-sent-again", { widths: [360] });
    await box(page, 2).fill("Still writing.");
    await expect(page.getByRole("alert")).toHaveText(notSent);
    await look(page, "offline-not-sent", { night: true });
    expect(await drafts()).toEqual([]);
  });

  await test.step("everything is saved when the connection is back", async () => {
    await context.setOffline(false);
    await expect(page.getByText(keptLine)).toBeVisible();
    expect(await drafts()).toEqual(["On the train, in the tunnel.|Still writing."]);
    await expect(page.getByText(isBack)).toBeVisible();
  });

  await test.step("another lesson is opened when the connection is back, and the page stays until then", async () => {
    await context.setOffline(true);
    await box(page, 1).fill("Just one more thing.");
    await lessons(page).getByRole("link", { name: secondLesson }).click();
    await expect(page.getByRole("alert")).toHaveText(again);
    await expect(page.getByText(isBack)).toHaveCount(0);
    await box(page, 1).fill("Just one more thing, written meanwhile.");
    await look(page, "offline-next-lesson", { night: true });
    await context.setOffline(false);
    await expect(heading(page)).toHaveText(secondLesson);
    await expect(page.getByRole("alert")).toHaveCount(0);
  });

  await test.step("Back waits for the connection too", async () => {
    await context.setOffline(true);
    await page.goBack();
    await expect(page.getByRole("alert")).toHaveText(again);
    await expect(heading(page)).toHaveText(secondLesson);
    await look(page, "offline-back", { night: true });
    await context.setOffline(false);
    await expect(heading(page)).toHaveText(firstLesson);
    await expect(page.getByRole("alert")).toHaveCount(0);
    await expect(box(page, 1)).toHaveValue("Just one more thing, written meanwhile.");
    await expect(hereAgain(page)).toBeVisible();
  });

  await test.step("what is discarded while it waits is not sent", async () => {
    await context.setOffline(true);
    await submit(page);
    await expect(page.getByRole("alert")).toHaveText(again);
    await page.locator("summary", { hasText: "Discard: Just one more" }).click();
    await page.getByRole("button", { name: "Yes, discard it" }).locator("visible=true").click();
    await expect(page.getByRole("alert")).toHaveText(notSent);
    await expect(box(page, 1)).toHaveValue("");
    await context.setOffline(false);
    await expect(page.getByText(isBack)).toBeVisible();
    await expect.poll(drafts).toEqual([]);
  });

  await test.step("a tab closed offline loses nothing", async () => {
    await context.setOffline(true);
    await box(page, 1).fill("Before the battery died.");
    await box(page, 2).fill("Still writing.");
    await expect(page.getByText(onDevice, { exact: true })).toBeVisible();
    await page.close();
    await context.setOffline(false);
    const later = await context.newPage();
    // The server has the older text until the page has sent the one of the device.
    await later.route("**/learn.data*", () => new Promise<void>(() => {}));
    await openPlayer(later);
    await expect(box(later, 1)).toHaveValue("Before the battery died.");
    await expect(box(later, 2)).toHaveValue("Still writing.");
    await expect.poll(drafts).toEqual(["Before the battery died.|Still writing."]);
    await later.unrouteAll();
    await complete(later);
    expect((await journalsOf(services, student.id))[0]).toContain("Before the battery died.");
    expect(await drafts()).toEqual([]);
  });
});

test("full storage: text stays on the device, or in the page, until there is room", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 507: PUT .*\/learn\/draft/);
  const student = await createStudent(services);
  const { id: lessonId } = await services.db.read
    .selectFrom("lessons")
    .select("id")
    .where("title", "=", secondLesson)
    .executeTakeFirstOrThrow();
  const ids = Array.from({ length: storageLimits.drafts - 1 }, () => newId());
  const of = { userId: student.id, lessonId, revision: 1 };
  const at = new Date(services.clock.now().getTime() - 60_000);
  const row = { ...of, kind: "journal" as const, baseRevision: 0, createdAt: at, updatedAt: at };
  await services.db.write
    .insertInto("drafts")
    .values(ids.map((id) => ({ ...row, id, content: "no text" })))
    .execute();
  const answers = [{ question: "What was hard today?", answer: "It rained again." }];
  await saveDraft(services, { ...of, draftId: newId(), answers });
  const page = await device({ as: student });
  const full = page.getByText("Your journal has used all of its storage.");

  await test.step("a draft that the site does not take comes back from the device", async () => {
    await openPlayer(page);
    await box(page, 1).fill("I did not want to lose this.");
    await expect(full).toContainText("saved on this device");
    await look(page, "room-full", { night: true });
    await page.reload();
    await hydrated(page);
    await expect(box(page, 1)).toHaveValue("I did not want to lose this.");
    await expect(onlyHere(page)).toBeVisible();
    await look(page, "room-restored");
  });

  await test.step("My journal shows it", async () => {
    await page.goto("/my-courses/journal");
    await expect(full).toBeVisible();
    await expect(
      page.getByText(
        "This text is saved only on this device, for about a week. The site could not save it.",
      ),
    ).toHaveCount(1);
    await expect(page.getByText("I did not want to lose this.")).toBeVisible();
    await look(page, "room-journal");
  });

  await test.step("an older draft is continued without room for both", async () => {
    await openPlayer(page, `${blueDot}?lesson=keys-in-the-refrigerator`);
    const last = page.locator("textarea").last();
    await expect(last).toHaveValue("What was hard today?\nIt rained again.");
    await last.fill("It rained again, all day.");
    await expect(page.getByText(keptLine)).toBeVisible();
  });

  await test.step("with room again, the next page sends what waited", async () => {
    for (const id of ids.slice(0, 3))
      await deleteDraft(services, { userId: student.id, draft: { id, revision: 1 } });
    await openPlayer(page, `${blueDot}?lesson=the-point-the-needle-rests-on`);
    await expect(box(page, 1)).toHaveValue("I did not want to lose this.");
    await expect(hereAgain(page)).toBeVisible();
    await expect(onlyHere(page)).toHaveCount(0);
    await page.goto("/my-courses/journal");
    await expect(page.getByText("I did not want to lose this.")).toBeVisible();
    await expect(
      page.getByText(
        "This text is saved only on this device, for about a week. The site could not save it.",
      ),
    ).toHaveCount(0);
    await openPlayer(page);
  });

  await test.step("what neither the site nor the device takes is said to be only in the page", async () => {
    watch.expect(/^answer 400: PUT .*\/learn\/draft/);
    await page.route("**/learn/draft", (route) => route.fulfill({ status: 400 }));
    await box(page, 1).fill("Refused.");
    await expect(
      page.getByText(/^This draft could not be saved on the site\. It is saved/),
    ).toBeVisible();
    await page.evaluate(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function set(...item) {
        if (this === localStorage) throw new Error("full");
        setItem.apply(this, item);
      };
    });
    await box(page, 1).fill("Refused, and the device is full.");
    await expect(page.getByText(/^What you wrote could not be saved, and this/)).toBeVisible();
  });
});

test("late, lost and foreign answers keep what was typed", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 50[02]: POST /, disconnected, /^failed: POST .*\/learn\.data/);
  const student = await createStudent(services);
  const page = await device({ as: student });
  const context = page.context();
  const drafts = () => draftsOf(services, student.id);
  /** What becomes of the next form that is sent. */
  const meets = (fate: Parameters<Page["route"]>[1]) =>
    page.route("**/learn.data*", (route, request) =>
      request.method() === "POST" ? fate(route, request) : route.continue(),
    );

  await test.step("a proxy's error page: the page stays, with all its text", async () => {
    await openPlayer(page);
    await box(page, 1).fill("Through a broken door.");
    const body = "<h1>Bad gateway</h1>";
    await meets((route) => route.fulfill({ status: 502, contentType: "text/html", body }));
    await submit(page);
    await expect(page.getByRole("alert")).toHaveText(again);
    await expect(box(page, 1)).toHaveValue("Through a broken door.");
    await box(page, 1).fill("Through a broken door, twice.");
    await expect(page.getByText(isBack)).toBeVisible();
    await page.unrouteAll();
  });

  await test.step("an error of the site: the page stays, and what it says goes with the next attempt", async () => {
    await meets((route) => route.fulfill({ status: 500, contentType: "text/html", body: "" }));
    await submit(page);
    await expect(toast(page, "Error")).toContainText("Failed to mark lesson as complete");
    await expect(
      page.getByText(/^Something went wrong here\. What you wrote is still/),
    ).toBeVisible();
    await page.unrouteAll();
  });

  await test.step("the boxes are read-only while they are sent, and writable when that is broken off", async () => {
    await meets(() => new Promise<void>(() => {}));
    await submit(page);
    await expect(toast(page, "Error")).toBeHidden();
    await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
    await expect(box(page, 1)).not.toBeEditable();
    await lessons(page).getByRole("link", { name: firstLesson }).click();
    await expect(page.getByRole("button", { name: "Mark as Complete" })).toBeVisible();
    await box(page, 1).fill("Sent, or not.");
    await expect.poll(drafts).toContain("Sent, or not.|");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  const later =
    await test.step("text typed after a lost answer outlives the closed tab", async () => {
      await meets(async (route) => {
        await route.fetch({ maxRedirects: 0 });
        await route.abort();
      });
      await submit(page);
      await expect(page.getByText(again)).toBeVisible();
      expect((await journalsOf(services, student.id))[0]).toContain("Sent, or not.");
      await context.setOffline(true);
      const failed = page.waitForEvent("requestfailed", (one) => one.url().endsWith("/draft"));
      await box(page, 1).fill("Sent. And one sentence more.");
      await failed;
      await page.close();
      await context.setOffline(false);
      const later = await context.newPage();
      await openPlayer(later, `${blueDot}?lesson=the-point-the-needle-rests-on`);
      await later.getByText(/^You have an unsent draft from .* Read it$/).click();
      await expect(later.getByText("Sent. And one sentence more.")).toBeVisible();
      return later;
    });

  await test.step("a captive portal's page instead of a lesson is no lesson", async () => {
    const portal = { status: 200, contentType: "text/html", body: "<h1>Welcome on board</h1>" };
    await later.unrouteAll();
    await later.route(/learn\.data\?lesson=keys/, (route) => route.fulfill(portal), { times: 2 });
    await lessons(later).getByRole("link", { name: secondLesson }).click();
    await expect(later.getByRole("alert")).toHaveText(again);
    await expect(heading(later)).toHaveText(secondLesson);
    await expect(later.getByRole("alert")).toHaveCount(0);
  });

  await test.step("a lesson that was sent offline is completed when the connection is back", async () => {
    await box(later, 1).fill("In the cupboard with the cups.");
    await context.setOffline(true);
    await submit(later);
    await expect(later.getByRole("alert")).toHaveText(again);
    expect(await journalsOf(services, student.id)).toHaveLength(1);
    await context.setOffline(false);
    await expect(heading(later)).toHaveText("You are allowed to be bad at this");
    expect(await journalsOf(services, student.id)).toHaveLength(2);
  });
});
