import { deleteDraft, saveDraft } from "~/features/journal/drafts.server.ts";
import { storageLimits } from "~/features/journal/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import { box, hydrated, keptLine, lessons, openPlayer, secondLesson } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent, draftsOf } from "./support/students.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

test("a full room: nothing typed is lost, it is offered back, and goes when there is room", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 507: PUT .*\/learn\/draft/);
  const { services } = site;
  const student = await createStudent(services);
  const lesson = await services.db.read
    .selectFrom("lessons")
    .select("id")
    .where("title", "=", secondLesson)
    .executeTakeFirstOrThrow();
  const drafts = Array.from({ length: storageLimits.drafts }, () => newId());
  for (const [at, draftId] of drafts.entries())
    await saveDraft(services, {
      ...{ userId: student.id, lessonId: lesson.id, draftId, revision: 1 },
      answers: [{ question: "What was hard today?", answer: `Day ${at + 1}. It rained again.` }],
    });
  const page = await device({ as: student });
  await openPlayer(page);
  await expect(page.getByText("Your journal has used all of its storage")).toBeVisible();
  await box(page, 1).fill("I did not want to lose this.");
  await expect(page.getByText("Your journal has used all of its storage.")).toBeVisible();
  await look(page, "room-full", { night: true });

  await page.reload();
  await hydrated(page);
  const offer = page.getByText("Text of yours is saved only on this device.");
  await expect(offer).toBeVisible();
  await look(page, "room-offered");
  await page.getByRole("button", { name: "Restore them?" }).click();
  await expect(box(page, 1)).toHaveValue("I did not want to lose this.");
  await expect(offer).toBeHidden();

  await page.goto("/my-courses/journal");
  await expect(page.getByText("Your journal has used all of its storage")).toBeVisible();
  const words = page.getByText("These words are kept only on this device.");
  await expect(words).toHaveCount(1);
  await expect(page.getByText("I did not want to lose this.")).toBeVisible();
  await look(page, "room-journal", { night: true });

  // To go on with an older draft needs no room for a new one.
  await openPlayer(page);
  await lessons(page).getByRole("link", { name: secondLesson }).click();
  await page.getByRole("link", { name: "Restore it?" }).first().click();
  await expect(page.getByText(keptLine)).toBeVisible();
  await look(page, "room-goes-on", { night: true });
  expect(await draftsOf(services, student.id)).toHaveLength(storageLimits.drafts);

  for (const id of drafts.slice(0, 3))
    await deleteDraft(services, { userId: student.id, draft: { id, revision: 1 } });
  await openPlayer(page);
  await expect(page.getByText("You have an unsent draft from").first()).toBeVisible();
  expect(await draftsOf(services, student.id)).toContainEqual(
    expect.stringContaining("I did not want to lose this."),
  );
  await page.goto("/my-courses/journal");
  await expect(words).toHaveCount(0);
});
