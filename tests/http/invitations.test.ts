import { beforeAll, describe, expect, test } from "vitest";
import { signUp } from "~/features/auth/sign-in.server.ts";
import { sessionCookie } from "~/platform/auth/constants.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { emailsTo, emailTo, pathOf } from "../support/mailbox.ts";
import { changeOwn, ownRows, profilesWith } from "../support/own-rows.ts";
import { createPerson } from "../support/people.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import { cookieSet, readable, toastOf } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";
import { visitor } from "../support/visitor.ts";

const site = siteOfFile();
const coach = adminOfFile(site, "Nora");
let course: TestCourse;
const session = "blue-dot.session_token";
const invitePath = "/admin/enrollments/invite";

beforeAll(async () => {
  course = await createCourse(site.services, [[{ content: "words of the lesson" }]], {
    title: "Letters & <unsent>",
  });
});

/** Invites by the form; @returns path and query of the email's link */
async function invited(email = newAddress(), name = "", of = course) {
  const before = emailsTo(site.services.config, email).length;
  const form = { intent: "invite", productId: of.id, email, name };
  const response = await site.ask(invitePath, { as: coach, form });
  expect([response.status, toastOf(response)?.title]).toEqual([
    303,
    "Invitation written to a file",
  ]);
  const message = await emailTo(site.services.config, email, before + 1);
  return { email, message, path: pathOf(message) };
}
/** Sends it again; @returns path and query of the newer email's link */
async function invitedAgain(email: string) {
  const form = { intent: "again", id: (await invitationOf(email)).id };
  const response = await site.ask(invitePath, { as: coach, form });
  expect(toastOf(response)?.title).toBe("Invitation written to a file");
  return pathOf(await emailTo(site.services.config, email, 2));
}
const invitationOf = (email: string) =>
  site.services.db.read
    .selectFrom("invitations")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
const profilesOf = (email: string) => profilesWith(site.services, email);
async function countEnrollments(email: string): Promise<number> {
  const [profile] = await profilesOf(email);
  return (await ownRows(site.services, "enrollments", profile?.id ?? "")).length;
}
const setEmail = (id: string, email: string) => changeOwn(site.services, "profiles", id, { email });
const signIn = (email: string, password: string) =>
  visitor(site).ask("/auth", { form: { email, password } });

const accepting = { name: "Ada", password: goodPassword };
const learn = () => `/courses/${course.slug}/learn`;
const outcome = async (path: string, form?: Record<string, string>) => {
  const response = await visitor(site).ask(path, form && { form });
  const title = /<h1[^>]*>(.*?)<\/h1>/.exec(readable(await response.text()))?.[1];
  return { status: response.status, title };
};
/** Neither opening a link nor sending its form does anything. */
async function expectInvalid(path: string, status: number, title: string) {
  for (const form of [undefined, accepting])
    expect(await outcome(path, form)).toEqual({ status, title });
}

test("an invitation leads from the email to the lesson; its link works once, and opening it changes nothing", async () => {
  const { email, message, path } = await invited(newAddress().toUpperCase(), "Ada");
  expect(message.subject).toContain("Letters & <unsent>");
  expect(message.text).toMatch(
    /Hello Ada,[\s\S]*Nora Hale[\s\S]*Letters & <unsent>[\s\S]*14\s+days/,
  );
  const who = visitor(site);
  const address = email.toLowerCase();
  for (let looks = 0; looks < 2; looks += 1) {
    const page = await who.ask(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    const text = readable(await page.text());
    for (const each of ["Letters & <unsent>", address]) expect(text).toContain(each);
    expect(text).toMatch(/<meta name="robots" content="noindex/);
  }
  expect(await profilesOf(address)).toEqual([]);

  const accepted = await who.ask(path, { form: accepting });
  expect([accepted.status, accepted.headers.get("location")]).toEqual([303, learn()]);
  expect(toastOf(accepted)?.title).toBe("You are enrolled.");
  expect(await profilesOf(address)).toMatchObject([
    { name: "Ada", emailVerified: true, role: "student" },
  ]);
  expect(await (await who.ask(learn())).text()).toContain("words of the lesson");

  const again = await who.ask(path);
  expect([again.status, again.headers.get("location")]).toEqual([302, learn()]);
  await expectInvalid(path, 410, "This invitation was accepted already");
  const retry = await visitor(site).ask(path, { form: { ...accepting, name: "Eve" } });
  expect(retry.status).toBe(410);
  expect(retry.headers.getSetCookie().join()).not.toContain(sessionCookie);
  expect(await profilesOf(address)).toMatchObject([{ name: "Ada" }]);
});

test("the database holds nothing that opens the link", async () => {
  const { email, path } = await invited();
  const token = path.split("token=")[1] ?? "";
  expect(token.length).toBeGreaterThanOrEqual(32);
  expect(JSON.stringify(await invitationOf(email))).not.toContain(token);
  const outbox = site.services.db.read.selectFrom("outbox").selectAll();
  await expect.poll(async () => JSON.stringify(await outbox.execute())).not.toContain(token);
});

test.each([
  [{ name: " ", password: "weak" }, "Name is required"],
  [{ name: "x".repeat(101), password: "weak" }, "Name must be less than 100 characters"],
  [{ name: "Ada", password: "alllower1" }, "Password must include at least one uppercase letter"],
])("a form by the rules of signing up, the first message first: %j", async (form, message) => {
  const { email, path } = await invited();
  const response = await visitor(site).ask(path, { form });
  expect(response.status).toBe(400);
  const text = readable(await response.text());
  for (const each of ["Validation Error", message]) expect(text).toContain(each);
  expect(await profilesOf(email)).toEqual([]);
  expect((await invitationOf(email)).acceptedAt).toBeNull();
});

describe("a link that does not work", () => {
  test("absent, altered, shortened or invented", async () => {
    const { path, email } = await invited();
    const last = path.at(-1) === "A" ? "B" : "A";
    for (const broken of [
      ...["/invitation", "/invitation?token=", `/invitation?token=${"x".repeat(5000)}`],
      ...[path.slice(0, -1) + last, path.slice(0, -1), `${path}x`, `${path}%00`],
      ...[path.toLowerCase(), `/invitation?token=${(await invitationOf(email)).tokenHash}`],
    ])
      await expectInvalid(broken, 404, "This link does not work");
    expect(await profilesOf(email)).toEqual([]);
  });

  test("withdrawn, or replaced by a newer one", async () => {
    const { path, email } = await invited();
    site.clock.forward(61_000);
    const newer = await invitedAgain(email);
    await expectInvalid(path, 404, "This link does not work");
    expect(await outcome(newer)).toMatchObject({ status: 200 });
    const form = { intent: "withdraw", id: (await invitationOf(email)).id };
    await site.ask(invitePath, { as: coach, form });
    await expectInvalid(newer, 410, "This invitation was withdrawn");
    expect(await profilesOf(email)).toEqual([]);
  });

  test("while its course is closed, or deleted; it works when that is restored", async () => {
    const closing = await createCourse(site.services, [], { title: "Closing" });
    const { path, email } = await invited(newAddress(), "", closing);
    const set = (values: { active?: boolean; deletedAt?: Date | null }) =>
      site.services.db.write
        .updateTable("products")
        .set(values)
        .where("id", "=", closing.id)
        .execute();
    await set({ active: false });
    await expectInvalid(path, 409, "This course is closed at the moment");
    await set({ active: true, deletedAt: site.services.clock.now() });
    await expectInvalid(path, 410, "This course is not offered any more");
    expect(await profilesOf(email)).toEqual([]);
    await set({ deletedAt: null });
    expect(await outcome(path)).toMatchObject({ status: 200 });
  });

  test("from another site's page, and after ten attempts; the fields stay", async () => {
    const { path, email } = await invited();
    const who = visitor(site);
    const foreign = await who.ask(path, { form: accepting, origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    for (let tries = 0; tries < 10; tries += 1)
      await who.ask("/invitation?token=x", { form: accepting });
    const refused = await who.ask(path, { form: accepting });
    expect(refused.status).toBe(429);
    const text = await refused.text();
    for (const each of ["Please wait a minute and try again.", 'value="Ada"'])
      expect(text).toContain(each);
    expect(await profilesOf(email)).toEqual([]);
  });
});

describe("an address that has an account meanwhile", () => {
  test("unconfirmed: its first password never works, that of the form does", async () => {
    const { email, path } = await invited();
    const caller = { address: "10.9.9.9", cookie: null, userAgent: null };
    const stranger = { name: "Eve", email, password: "Strangers-1" };
    await signUp(site.services, caller, { ...stranger, destination: "/" });
    expect(await profilesOf(email)).toMatchObject([{ emailVerified: false }]);
    const accepted = await visitor(site).ask(path, { form: accepting });
    expect(accepted.headers.get("location")).toBe(learn());
    expect(await profilesOf(email)).toMatchObject([{ name: "Ada", emailVerified: true }]);
    expect((await signIn(email, stranger.password)).status).toBe(400);
    expect((await signIn(email, goodPassword)).status).toBe(303);
    expect(await countEnrollments(email)).toBe(1);
  });

  test("confirmed: one press enrolls it, and its own password is asked for", async () => {
    const { email, path } = await invited();
    const account = await createAccount(site.services, { password: "Her-own-1" });
    await setEmail(account.id, email);
    const who = visitor(site);
    expect(await (await who.ask(path)).text()).toContain("Accept the invitation");
    const accepted = await who.ask(path, { form: accepting });
    expect(accepted.headers.get("location")).toBe(`/auth?redirect=${learn()}`);
    expect(cookieSet(accepted, session)).toBeNull();
    expect(await countEnrollments(email)).toBe(1);
    expect((await signIn(email, "Her-own-1")).status).toBe(303);
    expect((await signIn(email, goodPassword)).status).toBe(400);
  });

  test("confirmed and signed in: straight to the lessons", async () => {
    const { email, path } = await invited();
    const me = await createPerson(site.services);
    await setEmail(me.id, email);
    expect(await (await site.ask(path, { as: me })).text()).toContain(`signed in as ${email}`);
    const accepted = await site.ask(path, { as: me, form: {} });
    expect(accepted.headers.get("location")).toBe(learn());
    expect(await countEnrollments(email)).toBe(1);
  });

  test("another user signed in: nothing happens before they have signed out", async () => {
    const { email, path } = await invited();
    const other = await createPerson(site.services);
    const who = visitor(site);
    const [name = "", value = ""] = (await site.cookieOf(other)).split("=");
    who.cookies.set(name, value);
    for (const form of [undefined, accepting]) {
      const text = readable(await (await who.ask(path, form && { form })).text());
      for (const each of ["Somebody else is signed in here", other.email])
        expect(text).toContain(each);
    }
    expect(await profilesOf(email)).toEqual([]);
    expect(await countEnrollments(other.email)).toBe(0);
    const out = await who.ask(path, { form: { intent: "sign-out" } });
    expect(out.headers.get("location")).toBe(path);
    expect(await (await who.ask(path)).text()).toContain("Accept and begin");
  });
});

test("sent three times at once, it is accepted once, and all three are signed in", async () => {
  const { email, path } = await invited();
  const responses = await Promise.all(
    Array.from({ length: 3 }, () => visitor(site).ask(path, { form: accepting })),
  );
  expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await countEnrollments(email)).toBe(1);
  expect(await profilesOf(email)).toHaveLength(1);
});

test("sent with two passwords at once, one of them is the account's, and the other is refused", async () => {
  const { email, path } = await invited();
  const passwords = ["First-pass-1", "Second-pass-2"];
  const responses = await Promise.all(
    passwords.map((password) => visitor(site).ask(path, { form: { name: "Ada", password } })),
  );
  expect(responses.filter((response) => cookieSet(response, session))).toHaveLength(1);
  expect(await countEnrollments(email)).toBe(1);
  const tries = await Promise.all(passwords.map((password) => signIn(email, password)));
  expect(tries.map(({ status }) => status).sort()).toEqual([303, 400]);
});

// Last: it moves the clock by weeks.
test("the link works for 14 days; sent again, for 14 more", async () => {
  const { email, path } = await invited();
  site.clock.forwardDays(13.9);
  expect(await outcome(path)).toMatchObject({ status: 200 });
  site.clock.forwardDays(0.2);
  await expectInvalid(path, 410, "This invitation has run out");
  expect(await profilesOf(email)).toEqual([]);
  const list = await site.ask(invitePath, { as: coach });
  expect(await list.text()).toContain("Expired on ");
  const accepted = await visitor(site).ask(await invitedAgain(email), { form: accepting });
  expect(accepted.headers.get("location")).toBe(learn());
});
