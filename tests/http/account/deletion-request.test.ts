import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  cancelDeletion,
  deleteAccounts,
  scheduleDeletion,
} from "~/features/accounts/deletion.server.ts";
import { wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { suspend } from "~/features/accounts/suspension.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { dayInWords, shortDate } from "~/platform/time/words.ts";
import { type Holder, holder, isIn, pageFor } from "../../support/account.ts";
import { goodPassword } from "../../support/accounts.ts";
import { createCourse } from "../../support/courses.ts";
import { site as content } from "../../support/first-edition.ts";
import { journalForm, lessonOf, prompts } from "../../support/journal.ts";
import { emailTo } from "../../support/mailbox.ts";
import { changeOwn, ownRows, profileOf } from "../../support/own-rows.ts";
import { boxes, mainOf, readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

// Passwords are asked for many times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

const site = siteOfFile();
let ada: Holder;

beforeEach(async () => {
  ada = await holder(site);
});

const page = "/account/data/delete";
const leave = (who = ada, password = goodPassword) => who.ask(page, { form: { password } });
const words = async (response: Response) => mainOf(readable(await response.text()));
const isBeingDeleted = async (who = ada) =>
  (await profileOf(site.services, who.id))?.deletionDueAt instanceof Date;
const zone = { timeZone: content.timeZone, timeZoneChosenAt: new Date() };
/** It says on which day of the reader's the account goes, and how they keep it. */
async function expectDeletionToast(answer: Response) {
  const due = (await profileOf(site.services, ada.id))?.deletionDueAt as Date;
  const day = dayInWords(due, site.clock.now(), content.timeZone);
  expect(toastOf(answer)).toMatchObject({
    title: "Your account will be deleted.",
    description: expect.stringMatching(`It goes on ${day}\\. .* sign in .* link in the email`),
  });
}
const work = () => deleteAccounts.run(site.services);

describe("POST /account/data/delete", () => {
  test("says what goes and what stays, and signs out everywhere", async () => {
    const phone = await ada.device();
    const question = await words(await ada.ask(page));
    for (const text of ["everything you have written", "records of payments", "a week"])
      expect(question).toContain(text);
    await changeOwn(site.services, "profiles", ada.id, zone);
    const answer = await leave();
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/"]);
    await expectDeletionToast(answer);
    expect([await isIn(ada.ask), await isIn(phone), await isBeingDeleted()]).toEqual([
      false,
      false,
      true,
    ]);
    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("Your account will be deleted");
  });

  test("is shown to the coach until it is cancelled", async () => {
    const coach = await holder(site, { role: "admin" });
    // The day is the coach's: without a zone it would be another one for some hours of each day.
    await changeOwn(site.services, "profiles", coach.id, zone);
    const seen = async () => words(await coach.ask(`/admin/students/${ada.id}`));
    expect(await seen()).not.toContain("Leaving");
    await leave();
    const due = (await profileOf(site.services, ada.id))?.deletionDueAt as Date;
    const day = shortDate(due, content.timeZone);
    expect(await seen()).toContain(`It goes on ${day}`);
    await cancelDeletion(site.services, ada.id);
    expect(await seen()).not.toContain("Leaving");
  });

  test.each([
    ["Wrong-horse-9", "That is not your password."],
    ["", "Enter your password."],
  ])("refuses the password '%s'", async (password, message) => {
    const answer = await leave(ada, password);
    expect([answer.status, await words(answer)]).toEqual([400, expect.stringContaining(message)]);
    expect([await isBeingDeleted(), await isIn(ada.ask)]).toEqual([false, true]);
  });

  test("refuses the last admin, and one of two at once", async () => {
    await site.services.db.write.updateTable("profiles").set({ role: "student" }).execute();
    const nora = await holder(site, { role: "admin" });
    const refused = await leave(nora);
    expect([refused.status, await words(refused)]).toEqual([
      400,
      expect.stringContaining("the only administrator"),
    ]);
    expect([await isBeingDeleted(nora), await isIn(nora.ask)]).toEqual([false, true]);
    const olga = await holder(site, { role: "admin" });
    const went = await Promise.all(
      [nora, olga].map(({ id }) => scheduleDeletion(site.services, id)),
    );
    expect(went.sort()).toEqual([false, true]);
  });

  test("refuses an admin who suspends the only other one at the same moment, or the suspension", async () => {
    for (let round = 0; round < 5; round += 1) {
      await site.services.db.write.updateTable("profiles").set({ role: "student" }).execute();
      const nora = await holder(site, { role: "admin" });
      const olga = await holder(site, { role: "admin" });
      const suspending = { id: olga.id, by: nora.id, reason: "" };
      const [left, suspended] = await Promise.all([
        scheduleDeletion(site.services, nora.id),
        suspend(site.services, suspending).then(
          () => true,
          () => false,
        ),
      ]);
      expect([left, suspended].filter(Boolean)).toHaveLength(1);
    }
  });
});

describe("while a deletion is pending", () => {
  async function returned() {
    await leave();
    const device = visitor(site);
    const form = { email: ada.email, password: goodPassword };
    await device.ask("/auth", { form });
    return device;
  }

  test("every page asks for the decision first", async () => {
    const device = await returned();
    for (const path of ["/", "/my-courses", "/account", "/auth", "/courses", "/admin"]) {
      const answer = await device.ask(path);
      const location = answer.headers.get("location");
      expect([answer.status, location], path).toEqual([302, "/account/deletion-pending"]);
    }
    const choice = await words(await device.ask("/account/deletion-pending"));
    expect(choice).toContain("Keep it");
    expect(choice).toContain("Go on deleting");
    expect((await device.ask("/privacy")).status).toBe(200);
    expect(await (await device.ask("/api/auth/get-session")).json()).toBeNull();
    expect((await device.ask("/api/auth/token")).status, "no access token for a program").not.toBe(
      200,
    );
  });

  test.each(["/speculation-rules.json", "/site.webmanifest"])(
    "%s is no page, and is answered",
    async (address) => {
      const device = await returned();
      const answer = await device.ask(address);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        expect.stringMatching(/json/),
      ]);
    },
  );

  test("'Keep it' cancels the deletion", async () => {
    const device = await returned();
    const answer = await device.ask("/account/deletion-pending", { form: { intent: "keep" } });
    expect([answer.headers.get("location"), toastOf(answer)?.title]).toEqual([
      "/my-courses",
      "Your account stays.",
    ]);
    expect((await device.ask("/my-courses")).status).toBe(200);
    site.clock.forwardDays(8);
    await work();
    expect(await profileOf(site.services, ada.id)).toMatchObject({ deletionDueAt: null });
  });

  test("'Go on deleting' signs out and changes nothing", async () => {
    const device = await returned();
    await changeOwn(site.services, "profiles", ada.id, zone);
    const answer = await device.ask("/account/deletion-pending", { form: { intent: "go" } });
    expect(answer.headers.get("location")).toBe("/");
    await expectDeletionToast(answer);
    expect((await device.ask("/account/deletion-pending")).headers.get("location")).toBe(
      "/account",
    );
    expect(await isBeingDeleted()).toBe(true);
  });

  test("the email's link cancels it on a POST, once, and no later deletion", async () => {
    await leave();
    const first = await pageFor(site, ada.email);
    expect(await words(await first.look())).toContain("Keep your account?");
    expect(await isBeingDeleted()).toBe(true);
    const kept = await first.press();
    expect([kept.headers.get("location"), toastOf(kept)?.title]).toEqual([
      "/auth",
      "Your account stays.",
    ]);
    expect(await isBeingDeleted()).toBe(false);
    expect((await first.press()).status).toBe(400);
    site.clock.forward(1000);
    await scheduleDeletion(site.services, ada.id);
    expect((await first.press()).status).toBe(400);
    expect(await words(await first.look())).toContain("There is nothing to keep");
    expect(await isBeingDeleted()).toBe(true);
    await (await pageFor(site, ada.email, 2)).press();
    expect(await isBeingDeleted()).toBe(false);
    for (const path of [
      "/account/keep",
      "/account/keep?token=x",
      `/account/keep?token=${ada.id}.1.x`,
    ])
      expect((await site.ask(path, { form: {} })).status).toBe(400);
  });

  test("a form of an open page gives back what was typed", async () => {
    const course = await createCourse(site.services, [[{ prompts: prompts(1) }]]);
    await enroll(site.services, { userId: ada.id, productId: course.id });
    const device = await returned();
    const answer = await device.ask(`/courses/${course.slug}/learn`, {
      multipart: journalForm(lessonOf(course, 0, 0).id, { answers: ["I miss her."] }),
    });
    expect(answer.status).toBe(401);
    expect(boxes(await answer.text())).toEqual(["I miss her."]);
  });

  test("no emails about lessons are sent", async () => {
    const wants = () =>
      wantsEmail(site.services.db.read, { userId: ada.id, kind: "lesson-opened" });
    expect(await wants()).toBe(true);
    await leave();
    expect(await wants()).toBe(false);
    await (await pageFor(site, ada.email)).press();
    expect(await wants()).toBe(true);
  });

  test("an email change is cancelled", async () => {
    await ada.ask("/account/email", { form: { email: "x@example.com", password: goodPassword } });
    await leave();
    const rows = await ownRows(site.services, "emailChanges", ada.id);
    expect(rows).toEqual([]);
  });

  test("nothing is deleted until the week is over", async () => {
    await leave();
    // One that has not gone out yet would go with the account.
    await emailTo(site.services.config, ada.email);
    site.clock.forward(7 * 24 * 3600_000 - 60_000);
    await work();
    expect(await isBeingDeleted()).toBe(true);
    site.clock.forward(61_000);
    await Promise.all([work(), work()]);
    expect(await profileOf(site.services, ada.id)).toBeUndefined();
    const last = await emailTo(site.services.config, ada.email, 2);
    expect(last.subject).toBe("Your account is deleted");
  });
});
