import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { signUp } from "~/features/auth/sign-in.server.ts";
import { withdrawInvitation } from "~/features/enrollments/invitations.server.ts";
import { createAccount, goodPassword, newAddress } from "../support/accounts.ts";
import { cookieSet, readable, toastOf } from "../support/answers.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { lettersTo, letterTo, pathOf } from "../support/mailbox.ts";
import { createPerson, type Person } from "../support/people.ts";
import { startSite, type TestSite } from "../support/site.ts";
import { visitor } from "../support/visitor.ts";

let site: TestSite;
let coach: Person;
let course: TestCourse;
const session = "blue-dot.session_token";

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
  coach = await createPerson(site.services, { role: "admin", name: "Nora" });
  course = await createCourse(site.services, [[{ content: "words of the lesson" }]], {
    title: "Letters & <unsent>",
  });
});
afterAll(() => site.close());

/** Invites by the form; @returns path and query of the letter's link */
async function invited(email = newAddress(), name = "", of = course) {
  const before = lettersTo(site.services.config, email).length;
  const form = { intent: "invite", productId: of.id, email, name };
  const answer = await site.ask("/admin/enrollments/invite", { as: coach, form });
  expect(answer.status).toBe(303);
  expect(toastOf(answer)?.title).toBe("Invitation sent");
  const letter = await letterTo(site.services.config, email, before + 1);
  return { email, letter, path: pathOf(letter) };
}

const invitationOf = (email: string) =>
  site.services.db.read
    .selectFrom("invitations")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirstOrThrow();

const profileOf = (email: string) =>
  site.services.db.read
    .selectFrom("profiles")
    .selectAll()
    .where("email", "=", email)
    .executeTakeFirst();

async function enrollmentsOf(email: string): Promise<number> {
  const rows = await site.services.db.read
    .selectFrom("enrollments")
    .innerJoin("profiles", "profiles.id", "enrollments.userId")
    .select("enrollments.id")
    .where("profiles.email", "=", email)
    .execute();
  return rows.length;
}

const accepting = { name: "Ada", password: goodPassword };
const learn = () => `/courses/${course.slug}/learn`;

test("from the letter to the lesson; the link is used up, and opening it changed nothing", async () => {
  const { email, letter, path } = await invited(newAddress().toUpperCase(), "Ada");
  expect(letter.subject).toContain("Letters & <unsent>");
  expect(letter.text).toMatch(
    /Hello Ada,[\s\S]*Nora Hale[\s\S]*Letters & <unsent>[\s\S]*14\s+days/,
  );
  const who = visitor(site);
  const address = email.toLowerCase();
  for (let looks = 0; looks < 3; looks += 1) {
    const page = await who.ask(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    expect(page.headers.get("referrer-policy")).toBe("strict-origin-when-cross-origin");
    const text = readable(await page.text());
    expect(text).toContain("Letters & <unsent>");
    expect(text).toContain(address);
    expect(text).toMatch(/<meta name="robots" content="noindex/);
  }
  expect(await profileOf(address)).toBeUndefined();

  const accepted = await who.ask(path, { form: accepting });
  expect(accepted.status).toBe(303);
  expect(accepted.headers.get("location")).toBe(learn());
  expect(toastOf(accepted)?.title).toBe("You are enrolled.");
  expect(await profileOf(address)).toMatchObject({
    name: "Ada",
    emailVerified: true,
    role: "student",
  });
  expect(await (await who.ask(learn())).text()).toContain("words of the lesson");

  const again = await who.ask(path);
  expect([again.status, again.headers.get("location")]).toEqual([302, learn()]);
  const stranger = visitor(site);
  const used = await stranger.ask(path);
  expect(used.status).toBe(410);
  expect(await used.text()).toContain("This invitation was accepted already");
  const retry = await stranger.ask(path, { form: { ...accepting, name: "Eve" } });
  expect(retry.status).toBe(410);
  expect(cookieSet(retry, session)).toBeNull();
  expect((await profileOf(address))?.name).toBe("Ada");
});

test("the database holds nothing that opens the link", async () => {
  const { email, path } = await invited();
  const token = path.split("token=")[1] ?? "";
  expect(token.length).toBeGreaterThanOrEqual(32);
  expect(JSON.stringify(await invitationOf(email))).not.toContain(token);
  await expect
    .poll(async () =>
      JSON.stringify(await site.services.db.read.selectFrom("outbox").selectAll().execute()),
    )
    .not.toContain(token);
});

describe("names and passwords follow the rules of signing up, the first message first", () => {
  test.each([
    [{ name: " ", password: goodPassword }, "Name is required"],
    [{ name: "x".repeat(101), password: goodPassword }, "Name must be less than 100 characters"],
    [{ name: "Ada", password: "Short1" }, "Password must be at least 8 characters"],
    [{ name: "Ada", password: "x".repeat(101) }, "Password must be less than 100 characters"],
    [{ name: "Ada", password: "alllower1" }, "Password must include at least one uppercase letter"],
    [{ name: "Ada", password: "ALLUPPER1" }, "Password must include at least one lowercase letter"],
    [{ name: "Ada", password: "NoDigits" }, "Password must include at least one number"],
  ])("%j", async (form, message) => {
    const { email, path } = await invited();
    const answer = await visitor(site).ask(path, { form });
    expect(answer.status).toBe(400);
    const text = readable(await answer.text());
    expect(text).toContain("Validation Error");
    expect(text).toContain(message);
    expect(await profileOf(email)).toBeUndefined();
    expect((await invitationOf(email)).acceptedAt).toBeNull();
  });
});

describe("a link that is no good", () => {
  const outcome = async (path: string, form?: Record<string, string>) => {
    const answer = await visitor(site).ask(path, form && { form });
    const text = readable(await answer.text());
    return { status: answer.status, title: /<h1[^>]*>(.*?)<\/h1>/.exec(text)?.[1], text };
  };

  test("absent, altered, shortened or of somebody's invention", async () => {
    const { path, email } = await invited();
    const last = path.at(-1) === "A" ? "B" : "A";
    for (const broken of [
      "/invitation",
      "/invitation?token=",
      `${path.slice(0, -1)}${last}`,
      path.slice(0, -1),
      `${path}x`,
      `${path}%00`,
      path.toLowerCase(),
      `/invitation?token=${"x".repeat(5000)}`,
      `/invitation?token=${(await invitationOf(email)).tokenHash}`,
    ])
      for (const form of [undefined, accepting])
        expect(await outcome(broken, form)).toMatchObject({
          status: 404,
          title: "This link does not work",
        });
    expect(await profileOf(email)).toBeUndefined();
  });

  test("withdrawn", async () => {
    const { path, email } = await invited();
    await withdrawInvitation(site.services, (await invitationOf(email)).id);
    for (const form of [undefined, accepting])
      expect(await outcome(path, form)).toMatchObject({
        status: 410,
        title: "This invitation was withdrawn",
      });
    expect(await profileOf(email)).toBeUndefined();
  });

  test("sent again: the older link is dead, the newer one lives", async () => {
    const { path, email } = await invited();
    site.clock.forward(61_000);
    const { id } = await invitationOf(email);
    const form = { intent: "again", id };
    const answer = await site.ask("/admin/enrollments/invite", { as: coach, form });
    expect(toastOf(answer)?.title).toBe("Invitation sent again");
    const newer = pathOf(await letterTo(site.services.config, email, 2));
    expect((await outcome(path)).status).toBe(404);
    expect((await outcome(path, accepting)).status).toBe(404);
    expect((await outcome(newer)).status).toBe(200);
  });

  test("the course is closed, opens again, is deleted", async () => {
    const closing = await createCourse(site.services, [], { title: "Closing" });
    const { path, email } = await invited(newAddress(), "", closing);
    const set = (values: { active?: boolean; deletedAt?: Date | null }) =>
      site.services.db.write
        .updateTable("products")
        .set(values)
        .where("id", "=", closing.id)
        .execute();
    await set({ active: false });
    const closed = { status: 409, title: "This course is closed at the moment" };
    expect(await outcome(path)).toMatchObject(closed);
    expect(await outcome(path, accepting)).toMatchObject(closed);
    await set({ active: true, deletedAt: site.services.clock.now() });
    const gone = { status: 410, title: "This course is not offered any more" };
    expect(await outcome(path)).toMatchObject(gone);
    expect(await outcome(path, accepting)).toMatchObject(gone);
    expect(await profileOf(email)).toBeUndefined();
    await set({ deletedAt: null });
    expect((await outcome(path)).status).toBe(200);
  });

  test("not from another site", async () => {
    const { path, email } = await invited();
    const answer = await visitor(site).ask(path, {
      form: accepting,
      origin: "https://evil.example",
    });
    expect(answer.status).toBe(403);
    expect(await profileOf(email)).toBeUndefined();
  });

  test("tried too often: nothing is done for a while, and the words stay", async () => {
    const { path, email } = await invited();
    const who = visitor(site);
    for (let tries = 0; tries < 10; tries += 1)
      await who.ask("/invitation?token=x", { form: accepting });
    const answer = await who.ask(path, { form: accepting });
    expect(answer.status).toBe(429);
    const text = await answer.text();
    expect(text).toContain("Please wait a minute and try again.");
    expect(text).toContain('value="Ada"');
    expect(await profileOf(email)).toBeUndefined();
  });
});

describe("the address has an account meanwhile", () => {
  test("never confirmed: a stranger's password never comes alive, hers does", async () => {
    const { email, path } = await invited();
    const caller = { address: "10.9.9.9", cookie: null, userAgent: null };
    const stranger = { name: "Eve", email, password: "Strangers-1" };
    await signUp(site.services, caller, { ...stranger, destination: "/" });
    expect((await profileOf(email))?.emailVerified).toBe(false);
    const accepted = await visitor(site).ask(path, { form: accepting });
    expect(accepted.headers.get("location")).toBe(learn());
    expect(await profileOf(email)).toMatchObject({ name: "Ada", emailVerified: true });
    const signIn = (password: string) => visitor(site).ask("/auth", { form: { email, password } });
    expect((await signIn(stranger.password)).status).toBe(400);
    expect((await signIn(goodPassword)).status).toBe(303);
    expect(await enrollmentsOf(email)).toBe(1);
  });

  test("confirmed: one press enrolls it, its password stays and is asked for", async () => {
    const { email, path } = await invited();
    const account = await createAccount(site.services, { password: "Her-own-1" });
    await site.services.db.write
      .updateTable("profiles")
      .set({ email })
      .where("id", "=", account.id)
      .execute();
    const who = visitor(site);
    expect(await (await who.ask(path)).text()).toContain("Accept the invitation");
    const accepted = await who.ask(path, { form: accepting });
    expect(accepted.headers.get("location")).toBe(`/auth?redirect=${learn()}`);
    expect(cookieSet(accepted, session)).toBeNull();
    expect(await enrollmentsOf(email)).toBe(1);
    const form = { email, password: "Her-own-1" };
    expect((await who.ask("/auth", { form })).status).toBe(303);
    expect(
      (await visitor(site).ask("/auth", { form: { email, password: goodPassword } })).status,
    ).toBe(400);
  });

  test("confirmed and signed in: straight to the lessons", async () => {
    const me = await createPerson(site.services);
    const { path } = await invitedBefore(me);
    expect(await (await site.ask(path, { as: me })).text()).toContain(`signed in as ${me.email}`);
    const accepted = await site.ask(path, { as: me, form: {} });
    expect(accepted.headers.get("location")).toBe(learn());
    expect(await enrollmentsOf(me.email)).toBe(1);
  });

  test("somebody else is signed in: nothing happens before she has signed out", async () => {
    const { email, path } = await invited();
    const other = await createPerson(site.services);
    const who = visitor(site);
    const [name = "", value = ""] = (await site.cookieOf(other)).split("=");
    who.cookies.set(name, value);
    const text = readable(await (await who.ask(path)).text());
    expect(text).toContain("Somebody else is signed in here");
    expect(text).toContain(other.email);
    const refused = await who.ask(path, { form: accepting });
    expect(readable(await refused.text())).toContain("Somebody else is signed in here");
    expect(await profileOf(email)).toBeUndefined();
    expect(await enrollmentsOf(other.email)).toBe(0);
    const out = await who.ask(path, { form: { intent: "sign-out" } });
    expect(out.headers.get("location")).toBe(path);
    expect(await (await who.ask(path)).text()).toContain("Accept and begin");
  });

  /** She was invited before her account was made. */
  async function invitedBefore({ id, email }: Person) {
    const invitation = await invited();
    await site.services.db.write
      .updateTable("invitations")
      .set({ email })
      .where("email", "=", invitation.email)
      .execute();
    expect((await profileOf(email))?.id).toBe(id);
    return invitation;
  }
});

test("sent three times at once, it is accepted once, and everybody who sent it is in", async () => {
  const { email, path } = await invited();
  const answers = await Promise.all(
    Array.from({ length: 3 }, () => visitor(site).ask(path, { form: accepting })),
  );
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect(await enrollmentsOf(email)).toBe(1);
  const rows = await site.services.db.read
    .selectFrom("profiles")
    .select("id")
    .where("email", "=", email)
    .execute();
  expect(rows).toHaveLength(1);
});

test("with other passwords at once, one of them is the account's, and the other is told", async () => {
  const { email, path } = await invited();
  const passwords = ["First-pass-1", "Second-pass-2"];
  const answers = await Promise.all(
    passwords.map((password) => visitor(site).ask(path, { form: { name: "Ada", password } })),
  );
  const signedIn = answers.filter((answer) => cookieSet(answer, session));
  expect(signedIn).toHaveLength(1);
  expect(await enrollmentsOf(email)).toBe(1);
  const tries = await Promise.all(
    passwords.map((password) => visitor(site).ask("/auth", { form: { email, password } })),
  );
  expect(tries.map(({ status }) => status).sort()).toEqual([303, 400]);
});

// Last: it moves the clock by weeks.
test("the link works for 14 days; sent again, for 14 more", async () => {
  const { email, path } = await invited();
  const anonymous = visitor(site);
  site.clock.forwardDays(13.9);
  expect((await anonymous.ask(path)).status).toBe(200);
  site.clock.forwardDays(0.2);
  for (const form of [undefined, accepting]) {
    const dead = await anonymous.ask(path, form && { form });
    expect(dead.status).toBe(410);
    expect(await dead.text()).toContain("This invitation has run out");
  }
  expect(await profileOf(email)).toBeUndefined();
  const list = await site.ask("/admin/enrollments/invite", { as: coach });
  expect(await list.text()).toContain("Expired on ");
  const form = { intent: "again", id: (await invitationOf(email)).id };
  await site.ask("/admin/enrollments/invite", { as: coach, form });
  const newer = pathOf(await letterTo(site.services.config, email, 2));
  const accepted = await anonymous.ask(newer, { form: accepting });
  expect(accepted.headers.get("location")).toBe(learn());
});
