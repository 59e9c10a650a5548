import { beforeEach, describe, expect, test } from "vitest";
import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { newSetupToken } from "~/features/auth/users.server.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { appOnPage } from "../../support/authenticator-app.ts";
import { createCourse } from "../../support/courses.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { signInWith } from "../../support/oidc/visits.ts";
import { providerOfFile } from "../../support/oidc/world.ts";
import { profileOf } from "../../support/own-rows.ts";
import { passkeyDevice } from "../../support/passkey.ts";
import { createPerson } from "../../support/people.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";
import { security } from "./steps.ts";

const world = providerOfFile();
const { site } = world;
let coach: Awaited<ReturnType<typeof createAccount>>;

beforeEach(async () => {
  coach = await createAccount(site.services, { role: "admin" });
});

const target = "/admin/students";
const page = `/auth/protect?redirect=${target}`;
const weekMs = 7 * 24 * 3600_000;

const reminderOf = async ({ id }: { id: string }) =>
  (await profileOf(site.services, id))?.factorReminderAt ?? null;

const makeAdmin = (email: string) =>
  site.services.db.write
    .updateTable("profiles")
    .set({ role: "admin" })
    .where("email", "=", email)
    .execute();

/** Signs in with the password. @returns where that leads */
async function enter(who: Visitor, { email, password } = coach, redirect = target) {
  const path = `/auth?redirect=${encodeURIComponent(redirect)}`;
  const answer = await who.ask(path, { form: { email, password } });
  expect(answer.status).toBe(303);
  return answer.headers.get("location");
}
const enterAgain = () => enter(visitor(site));

describe("an admin without two-factor", () => {
  test("is asked at sign-in, and is signed in all the same", async () => {
    const who = visitor(site);
    const { email, password } = coach;
    const answer = await who.ask(`/auth?redirect=${target}`, { form: { email, password } });
    expect(answer.headers.get("location")).toBe(page);
    expect(toastOf(answer)?.title).toBe("Welcome back!");
    const shown = await who.ask(page);
    expect(shown.status).toBe(200);
    const html = await shown.text();
    expect(readable(html)).toContain("One stolen password would open all of it");
    expect(html).toContain(`href="${security}/app?redirect=${target}"`);
    expect(html).toContain(`href="${security}?redirect=${target}#passkeys"`);
    expect((await who.ask(target)).status).toBe(200);
    // It has not been put off: the next sign-in asks again.
    expect(await enterAgain()).toBe(page);
  });

  test("puts it off for a week, and is asked again then", async () => {
    const who = visitor(site);
    await enter(who);
    const before = site.clock.now().getTime();
    const later = await who.ask(page, { form: {} });
    expect([later.status, later.headers.get("location")]).toEqual([303, target]);
    const until = (await reminderOf(coach))?.getTime() ?? 0;
    expect(until).toBeGreaterThanOrEqual(before + weekMs);
    expect(until).toBeLessThanOrEqual(site.clock.now().getTime() + weekMs);
    expect((await who.ask(page)).headers.get("location")).toBe(target);
    // Pressed twice it is no longer.
    await who.ask(page, { form: {} });
    expect((await reminderOf(coach))?.getTime()).toBe(until);
    const kept = await site.ask("/account/export", { as: coach, form: {} });
    expect(Buffer.from(await kept.arrayBuffer()).includes(new Date(until).toISOString())).toBe(
      true,
    );

    site.clock.forward(weekMs - 60_000);
    expect(await enterAgain()).toBe(target);
    site.clock.forward(120_000);
    expect(await enterAgain()).toBe(page);
  });

  test("with an app goes on to where they wanted to, and is never asked again", async () => {
    const who = visitor(site);
    await enter(who);
    const form = { intent: "begin", name: "Phone", password: goodPassword };
    const begun = await who.ask(`${security}/app?redirect=${target}`, { form });
    // One that has shown no code yet protects nothing.
    expect(await enterAgain()).toBe(page);
    const path = begun.headers.get("location") ?? "";
    const app = appOnPage(await (await who.ask(path)).text());
    const code = await app.code(site.clock.now());
    const done = await who.ask(path, { form: { intent: "finish", code } });
    expect(await done.text()).toMatch(new RegExp(`href="${target}"[^>]*>I have kept them`));
    expect((await who.ask(page)).headers.get("location")).toBe(target);

    site.clock.forward(60_000);
    const other = visitor(site);
    expect(await enter(other)).toBe(`/auth/second-step?redirect=${target}`);
    const form2 = { code: await app.code(site.clock.now()) };
    const given = await other.ask(`/auth/second-step?redirect=${target}`, { form: form2 });
    expect(given.headers.get("location")).toBe(target);
  });

  test("with a passkey goes on to where they wanted to, and is never asked again", async () => {
    const device = passkeyDevice(site.services.config.appUrl);
    const who = visitor(site);
    await enter(who);
    const optionsOf = async (by: Visitor, path: string) =>
      (await (await by.ask(`/api/auth/passkey/${path}`)).json()) as { challenge: string };
    const passkey = device.register(await optionsOf(who, "generate-register-options"));
    const form = { intent: "add-passkey", name: "Laptop", passkey };
    const added = await who.ask(`${security}?redirect=${target}`, { form });
    expect([added.status, added.headers.get("location")]).toEqual([303, target]);
    expect(toastOf(added)?.title).toBe("Passkey added");
    expect((await who.ask(target)).status).toBe(200);

    expect(await enterAgain()).toBe(target);
    const other = visitor(site);
    const shown = device.signIn(await optionsOf(other, "generate-authenticate-options"));
    const entered = await other.ask(`/auth?redirect=${target}`, {
      form: { intent: "passkey", passkey: shown },
    });
    expect(entered.headers.get("location")).toBe(target);
  });
});

describe("the prompt also comes after", () => {
  test("a sign-in by scripts; the answer to programs does not change", async () => {
    const { email, password } = coach;
    const asked = await visitor(site).ask(`/auth.data?redirect=${target}`, {
      form: { email, password },
    });
    expect(await asked.text()).toContain(page);
    const student = await createAccount(site.services);
    const answers = await Promise.all(
      [coach, student].map(async (account) => {
        const json = { email: account.email, password };
        const answer = await visitor(site).ask("/api/auth/sign-in/email", { json });
        return [answer.status, Object.keys((await answer.json()) as object).sort()];
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test("a provider", async () => {
    const email = newAddress();
    world.oidc.member = { sub: email, email, email_verified: true, name: "Nora" };
    const come = () =>
      signInWith(site, visitor(site), world.oidc, { query: `?redirect=${target}` });
    await come();
    await makeAdmin(email);
    expect(await come()).toMatchObject({
      at: page,
      status: 200,
      toast: { title: "Welcome back!" },
    });
  });

  test("the email that confirms an address", async () => {
    const who = visitor(site);
    const form = { name: "Nora", email: newAddress(), password: goodPassword };
    await who.ask(`/auth?mode=sign-up&redirect=${target}`, { form });
    const message = await emailTo(site.services.config, form.email);
    await makeAdmin(form.email);
    const confirmed = await who.ask(pathOf(message), { form: {} });
    expect(confirmed.headers.get("location")).toBe(page);
  });

  test("an invitation", async () => {
    const course = await createCourse(site.services, [[{}]]);
    const form = { name: "Nora", email: newAddress(), password: goodPassword };
    await visitor(site).ask("/auth?mode=sign-up", { form });
    const by = await createPerson(site.services, { role: "admin" });
    await emailTo(site.services.config, form.email);
    await site.ask("/admin/enrollments/invite", {
      as: by,
      form: { intent: "invite", productId: course.id, email: form.email, name: "" },
    });
    await makeAdmin(form.email);
    const path = pathOf(await emailTo(site.services.config, form.email, 2));
    const accepted = await visitor(site).ask(path, { form });
    expect([accepted.headers.get("location"), toastOf(accepted)?.title]).toEqual([
      `/auth/protect?redirect=/courses/${course.slug}/learn`,
      "You are enrolled.",
    ]);
  });

  test("the link of the start", async () => {
    await site.services.db.write.updateTable("profiles").set({ role: "student" }).execute();
    const token = await newSetupToken(site.services);
    const nora = { name: "Nora", email: newAddress(), password: goodPassword };
    const made = await site.ask(`/setup?token=${token}`, { form: nora });
    expect(made.headers.get("location")).toBe("/auth?redirect=/admin");
    const entered = await visitor(site).ask("/auth?redirect=/admin", { form: nora });
    expect(entered.headers.get("location")).toBe("/auth/protect?redirect=/admin");
  });

  test("a canceled account deletion", async () => {
    await createPerson(site.services, { role: "admin" });
    await scheduleDeletion(site.services, coach.id);
    const who = visitor(site);
    await enter(who);
    expect((await who.ask(page)).headers.get("location")).toBe("/account/deletion-pending");
    const form = { intent: "keep" };
    const stays = await who.ask(`/account/deletion-pending?redirect=${target}`, { form });
    expect(stays.headers.get("location")).toBe(page);
  });
});

describe("the prompt", () => {
  test("never comes to a student", async () => {
    const student = await createAccount(site.services);
    const who = visitor(site);
    expect(await enter(who, student, "/courses")).toBe("/courses");
    expect((await who.ask("/auth/protect?redirect=/courses")).headers.get("location")).toBe(
      "/courses",
    );
  });

  test("cannot be put off by strangers, students and other sites", async () => {
    const student = await createAccount(site.services);
    const stranger = await site.ask(page, { form: {} });
    expect(stranger.headers.get("location")).toBe(`/auth?redirect=${target}`);
    const other = await site.ask(page, { form: {}, as: student });
    expect([other.status, other.headers.get("location")]).toEqual([303, target]);
    expect(await reminderOf(student)).toBeNull();
    for (const origin of ["https://evil.example", "null"]) {
      const foreign = await site.ask(page, { form: {}, as: coach, origin });
      expect(foreign.status).toBe(403);
    }
    expect(await reminderOf(coach)).toBeNull();
  });

  test.each(["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "does not lead to %s",
    async (way) => {
      const redirect = encodeURIComponent(way);
      const who = visitor(site);
      expect(await enter(who, coach, way)).toBe("/auth/protect?redirect=/my-courses");
      const html = await (await who.ask(`/auth/protect?redirect=${redirect}`)).text();
      const links = [...html.matchAll(/href="([^"]*redirect=[^"]*)"/g)].map(([, link]) => link);
      const rest = "?redirect=/my-courses";
      const signInAgain = "/auth?redirect=/auth/signed-in";
      expect(links).toEqual([`${security}/app${rest}`, `${security}${rest}#passkeys`, signInAgain]);
      const later = await who.ask(`/auth/protect?redirect=${redirect}`, { form: {} });
      expect(later.headers.get("location")).toBe("/my-courses");
    },
  );
});
