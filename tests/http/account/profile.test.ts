import { beforeEach, describe, expect, test, vi } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { type Holder, holder, isIn } from "../../support/account.ts";
import { goodPassword } from "../../support/accounts.ts";
import { createCourse } from "../../support/courses.ts";
import { journalForm, lessonOf, prompts } from "../../support/journal.ts";
import { emailsTo, emailTo, pathOf } from "../../support/mailbox.ts";
import { deleteOwn, ownRows, profileOf } from "../../support/own-rows.ts";
import { boxes, hidden, mainOf, readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

// Passwords are asked for many times, and hashing fills a core.
vi.setConfig({ testTimeout: 120_000 });

const site = siteOfFile();
let ada: Holder;

beforeEach(async () => {
  ada = await holder(site);
});

const words = async (response: Response) => mainOf(readable(await response.text()));
const saved = async (path: string, form: Record<string, string>) => {
  const answer = await ada.ask(path, { form });
  return [answer.status, toastOf(answer)?.title];
};
const newPassword = "Battery-staple-7";
const signsIn = async (password: string) => {
  const answer = await visitor(site).ask("/auth", { form: { email: ada.email, password } });
  return answer.status === 303;
};

describe("POST /account/name", () => {
  test("saves the name, and shows it", async () => {
    expect(await saved("/account/name", { name: "  Ada Lovelace " })).toEqual([303, "Name saved"]);
    expect(await words(await ada.ask("/account"))).toContain("Ada Lovelace");
  });

  test.each([
    ["", "Name is required"],
    ["a".repeat(101), "Name must be less than 100 characters"],
  ])("refuses '%s'", async (name, message) => {
    const answer = await ada.ask("/account/name", { form: { name } });
    expect([answer.status, await words(answer)]).toEqual([400, expect.stringContaining(message)]);
    expect((await profileOf(site.services, ada.id))?.name).toBe("Ada");
  });
});

describe("POST /account/password", () => {
  const change = (current: string, password: string) =>
    ada.ask("/account/password", { form: { current, password } });

  test("ends the other sessions, and sends an alert", async () => {
    const phone = await ada.device();
    const answer = await change(goodPassword, newPassword);
    expect([answer.status, toastOf(answer)?.title]).toEqual([303, "Password changed"]);
    expect([await isIn(ada.ask), await isIn(phone)]).toEqual([true, false]);
    expect([await signsIn(newPassword), await signsIn(goodPassword)]).toEqual([true, false]);
    const message = await emailTo(site.services.config, ada.email);
    expect(message.subject).toBe("Your password was changed");
    expect(pathOf(message)).toBe("/auth/forgot");
  });

  test.each([
    ["Wrong-horse-9", newPassword, "That is not your password."],
    ["", newPassword, "Enter your password."],
    [goodPassword, "short", "Password must be at least 8 characters"],
  ])("refuses '%s' and '%s': %s", async (current, password, message) => {
    const answer = await change(current, password);
    expect([answer.status, await words(answer)]).toEqual([400, expect.stringContaining(message)]);
    expect(await signsIn(goodPassword)).toBe(true);
    expect(emailsTo(site.services.config, ada.email)).toEqual([]);
  });

  test("allows ten tries in a quarter of an hour", async () => {
    for (let n = 0; n < 10; n += 1) await change("Wrong-horse-9", newPassword);
    expect(await words(await change(goodPassword, newPassword))).toContain("a lot of tries");
    site.clock.forward(15 * 60_000);
    expect((await change(goodPassword, newPassword)).status).toBe(303);
  }, 60_000);

  test("emails a link to a user without a password", async () => {
    await deleteOwn(site.services, "accounts", ada.id);
    expect(await words(await ada.ask("/account/password"))).toContain("Set a password");
    expect(await saved("/account/password", { intent: "send-link" })).toEqual([
      303,
      "Please check your email",
    ]);
    const message = await emailTo(site.services.config, ada.email);
    await site.ask(pathOf(message), { form: { password: newPassword } });
    expect(await signsIn(newPassword)).toBe(true);
  });
});

describe("/account/devices", () => {
  const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

  test("lists the devices, and signs one out", async () => {
    const laptop = visitor(site);
    const form = { email: ada.email, password: goodPassword };
    await laptop.ask("/auth", { form, headers: { "user-agent": firefox } });
    const page = await words(await ada.ask("/account/devices"));
    expect(page).toContain("Firefox on Linux");
    expect(page.match(/– this device/g)).toHaveLength(1);
    const [session = ""] = hidden(page, "session");
    expect(await saved("/account/devices", { session })).toEqual([
      303,
      "That device is signed out.",
    ]);
    expect((await laptop.ask("/my-courses")).status).toBe(302);
    expect(await isIn(ada.ask)).toBe(true);
    expect(hidden(await words(await ada.ask("/account/devices")), "session")).toEqual([]);
  });

  test("signs out everywhere else at once", async () => {
    const others = [await ada.device(), await ada.device()];
    expect(await words(await ada.ask("/account"))).toContain("On 3 devices");
    await ada.ask("/account/devices", { form: { intent: "others" } });
    expect(await Promise.all([ada.ask, ...others].map(isIn))).toEqual([true, false, false]);
    expect(await words(await ada.ask("/account"))).toContain("On this device only");
  });

  test("ends neither another user's session nor the own one", async () => {
    const grace = await holder(site);
    const sessions = [grace, ada].map(({ id }) => ownRows(site.services, "sessions", id));
    for (const { id } of (await Promise.all(sessions)).flat())
      await ada.ask("/account/devices", { form: { session: id } });
    expect([await isIn(grace.ask), await isIn(ada.ask)]).toEqual([true, true]);
  });

  test("a page that was open on a signed-out device gives back what was typed", async () => {
    const course = await createCourse(site.services, [[{ prompts: prompts(1) }]]);
    await enroll(site.services, { userId: ada.id, productId: course.id });
    const phone = await ada.device();
    await ada.ask("/account/devices", { form: { intent: "others" } });
    const answer = await phone(`/courses/${course.slug}/learn`, {
      multipart: journalForm(lessonOf(course, 0, 0).id, { answers: ["I miss her."] }),
    });
    expect(answer.status).toBe(401);
    expect(boxes(await answer.text())).toEqual(["I miss her."]);
  });
});

describe("the time zone of an account", () => {
  const stored = async () => (await profileOf(site.services, ada.id))?.timeZone;
  const say = async (zone: string, cookie?: string) => {
    const session = cookie ?? (await site.cookieOf(ada));
    const headers = { cookie: `${session}; tz=${encodeURIComponent(zone)}` };
    expect((await site.ask("/courses", { headers })).status).toBe(200);
  };

  test("is the one that the browser of its own user says, and follows it", async () => {
    const grace = await holder(site);
    await say("Asia/Kolkata", "");
    await say("Asia/Kolkata", await site.cookieOf(grace));
    await site.ask("/courses", { as: ada });
    expect(await stored()).toBeNull();
    for (const zone of ["Australia/Lord_Howe", "America/New_York"]) {
      await say(zone);
      expect(await stored()).toBe(zone);
    }
    await site.ask("/courses", { as: ada });
    expect(await stored()).toBe("America/New_York");
  });

  test.each(["Mars/Olympus", "+05:30", "", "%", "a".repeat(100), "Europe/Berlin'--"])(
    "'%s' of a browser is not stored, and the page comes",
    async (zone) => {
      await say(zone);
      expect(await stored()).toBeNull();
    },
  );

  test("that was chosen counts, whatever the browser says, until it may again", async () => {
    await say("Europe/Paris");
    expect(await saved("/account/time-zone", { timeZone: "Asia/Tokyo" })).toEqual([
      303,
      "Time zone saved",
    ]);
    await say("America/New_York");
    expect(await stored()).toBe("Asia/Tokyo");
    expect(await words(await ada.ask("/account"))).toContain("Tokyo");
    await saved("/account/time-zone", { timeZone: "" });
    await say("America/New_York");
    expect(await stored()).toBe("America/New_York");
  });

  test("is used where the browser says none; without any, times are named as UTC", async () => {
    await ada.device();
    const devices = async () => words(await site.ask("/account/devices", { as: ada }));
    expect(await devices()).toMatch(/Last used on .*\d+:\d\d [AP]M\sUTC/);
    await say("Asia/Tokyo");
    expect(await words(await site.ask("/account", { as: ada }))).toContain("Tokyo");
    expect(await devices()).not.toContain("UTC");
  });

  test("must be a place", async () => {
    for (const timeZone of ["Mars/Olympus", "+05:30", "a".repeat(300)])
      expect((await ada.ask("/account/time-zone", { form: { timeZone } })).status).toBe(400);
    expect(await stored()).toBeNull();
  });
});
