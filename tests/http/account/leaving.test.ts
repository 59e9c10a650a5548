import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  cancelDeletion,
  deleteAccounts,
  scheduleDeletion,
} from "~/features/accounts/deletion.server.ts";
import { wantsEmail } from "~/features/accounts/email-preferences.server.ts";
import { suspend } from "~/features/accounts/suspension.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { shortDate } from "~/platform/time/words.ts";
import { site as content } from "~content/site.ts";
import { type Holder, holder, isIn, pageFor, rowOf } from "../../support/account.ts";
import { goodPassword } from "../../support/accounts.ts";
import { boxes, mainOf, readable, toastOf } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { journalForm, lessonOf, prompts } from "../../support/journal.ts";
import { letterTo } from "../../support/mailbox.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

// Passwords are asked for many times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

let site: TestSite;
let ada: Holder;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());
beforeEach(async () => {
  ada = await holder(site);
});

const page = "/account/data/delete";
const leave = (who = ada, password = goodPassword) => who.ask(page, { form: { password } });
const words = async (response: Response) => mainOf(readable(await response.text()));
const isBeingDeleted = async (who = ada) =>
  (await rowOf(site.services, who.id))?.deletionDueAt instanceof Date;
const work = () => deleteAccounts.run(site.services);

describe("asking for it", () => {
  test("says what goes and what stays, and signs her out everywhere", async () => {
    const phone = await ada.device();
    const question = await words(await ada.ask(page));
    for (const text of ["everything you have written", "records of payments", "a week"])
      expect(question).toContain(text);
    const answer = await leave();
    expect([answer.status, answer.headers.get("location"), toastOf(answer)?.title]).toEqual([
      303,
      "/",
      "You are signed out.",
    ]);
    expect([await isIn(ada.ask), await isIn(phone), await isBeingDeleted()]).toEqual([
      false,
      false,
      true,
    ]);
    const letter = await letterTo(site.services.config, ada.email);
    expect(letter.subject).toBe("Your account will be deleted");
  });

  test("the coach sees it on her student's page, until it is taken back", async () => {
    const coach = await holder(site, { role: "admin" });
    // The day is the coach's: without a zone it would be another one for some hours of each day.
    await site.services.db.write
      .updateTable("profiles")
      .set({ timeZone: content.timeZone, timeZoneChosenAt: site.clock.now() })
      .where("id", "=", coach.id)
      .execute();
    const seen = async () => words(await coach.ask(`/admin/students/${ada.id}`));
    expect(await seen()).not.toContain("Leaving");
    await leave();
    const due = (await rowOf(site.services, ada.id))?.deletionDueAt as Date;
    const day = shortDate(due, content.timeZone);
    expect(await seen()).toContain(`It goes on ${day}`);
    await cancelDeletion(site.services, ada.id);
    expect(await seen()).not.toContain("Leaving");
  });

  test.each([
    ["Wrong-horse-9", "That is not your password."],
    ["", "Enter your password."],
  ])("not with '%s'", async (password, message) => {
    const answer = await leave(ada, password);
    expect([answer.status, await words(answer)]).toEqual([400, expect.stringContaining(message)]);
    expect([await isBeingDeleted(), await isIn(ada.ask)]).toEqual([false, true]);
  });

  test("the last administrator stays, and of two who leave at once one does", async () => {
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

  test("an administrator who leaves while suspending the only other one does one of both", async () => {
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

describe("the week", () => {
  async function returned() {
    await leave();
    const device = visitor(site);
    const form = { email: ada.email, password: goodPassword };
    await device.ask("/auth", { form });
    return device;
  }

  test("whoever signs in decides before anything else", async () => {
    const device = await returned();
    for (const path of ["/", "/my-courses", "/account", "/auth", "/courses", "/admin"]) {
      const answer = await device.ask(path);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([
        path,
        302,
        "/account/leaving",
      ]);
    }
    const choice = await words(await device.ask("/account/leaving"));
    expect(choice).toContain("Keep it");
    expect(choice).toContain("Go on deleting");
    expect((await device.ask("/privacy")).status).toBe(200);
    expect(await (await device.ask("/api/auth/get-session")).json()).toBeNull();
    expect((await device.ask("/api/auth/token")).status, "no access token for a program").not.toBe(
      200,
    );
  });

  test.each(["/speculation-rules.json", "/site.webmanifest"])(
    "%s is no page, and comes to who has yet to decide",
    async (address) => {
      const device = await returned();
      const answer = await device.ask(address);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([
        200,
        expect.stringMatching(/json/),
      ]);
    },
  );

  test("'Keep it' leaves everything as it was", async () => {
    const device = await returned();
    const answer = await device.ask("/account/leaving", { form: { intent: "keep" } });
    expect([answer.headers.get("location"), toastOf(answer)?.title]).toEqual([
      "/my-courses",
      "Your account stays.",
    ]);
    expect((await device.ask("/my-courses")).status).toBe(200);
    site.clock.forwardDays(8);
    await work();
    expect(await rowOf(site.services, ada.id)).toMatchObject({ deletionDueAt: null });
  });

  test("'Go on deleting' signs out, and nothing else", async () => {
    const device = await returned();
    const answer = await device.ask("/account/leaving", { form: { intent: "go" } });
    expect(answer.headers.get("location")).toBe("/");
    expect((await device.ask("/account/leaving")).headers.get("location")).toBe("/account");
    expect(await isBeingDeleted()).toBe(true);
  });

  test("the letter keeps it with one press, not with a look, and not a later time", async () => {
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

  test("what was typed on an open page comes back", async () => {
    const course = await createCourse(site.services, [[{ prompts: prompts(1) }]]);
    await enroll(site.services, { userId: ada.id, productId: course.id });
    const device = await returned();
    const answer = await device.ask(`/courses/${course.slug}/learn`, {
      multipart: journalForm(lessonOf(course, 0, 0).id, { answers: ["I miss her."] }),
    });
    expect(answer.status).toBe(401);
    expect(boxes(await answer.text())).toEqual(["I miss her."]);
  });

  test("letters about lessons pause", async () => {
    const wants = () =>
      wantsEmail(site.services.db.read, { userId: ada.id, kind: "lesson-opened" });
    expect(await wants()).toBe(true);
    await leave();
    expect(await wants()).toBe(false);
    await (await pageFor(site, ada.email)).press();
    expect(await wants()).toBe(true);
  });

  test("a wish for another address ends with it", async () => {
    await ada.ask("/account/email", { form: { email: "x@example.com", password: goodPassword } });
    await leave();
    const rows = await site.services.db.read
      .selectFrom("emailChanges")
      .select("userId")
      .where("userId", "=", ada.id)
      .execute();
    expect(rows).toEqual([]);
  });

  test("until its last moment nothing is deleted", async () => {
    await leave();
    // One that has not gone out yet would go with the account.
    await letterTo(site.services.config, ada.email);
    site.clock.forward(7 * 24 * 3600_000 - 60_000);
    await work();
    expect(await isBeingDeleted()).toBe(true);
    site.clock.forward(61_000);
    await Promise.all([work(), work()]);
    expect(await rowOf(site.services, ada.id)).toBeUndefined();
    const last = await letterTo(site.services.config, ada.email, 2);
    expect(last.subject).toBe("Your account is deleted");
  });
});
