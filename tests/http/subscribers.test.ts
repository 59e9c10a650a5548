import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { countRecipients, listRecipients } from "~/features/newsletter/segments.server.ts";
import type { Segment } from "~/platform/db/newsletter-tables.ts";
import { newAddress } from "../support/accounts.ts";
import { createCourse } from "../support/courses.ts";
import { createSubscriber, settled, signUp, subscriber } from "../support/newsletter.ts";
import { createPerson } from "../support/people.ts";
import { adminOfFile, visitorOfTest } from "../support/people-of-tests.ts";
import { decode, mainOf, toastOf } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);
const ada = visitorOfTest(site);
const list = "/admin/newsletter/subscribers";

type More = Parameters<typeof createSubscriber>[2];

const subscribed = (email: string, more: More = {}) => createSubscriber(site.services, email, more);

const suppress = (address: string) =>
  site.services.db.write
    .insertInto("suppressions")
    .values({ address, reason: "complaint", source: "admin", createdAt: site.clock.now() })
    .execute();

async function wordsOf(at: string) {
  const page = mainOf(await (await site.ask(at, { as: admin })).text());
  return decode(page.replaceAll(/<[^>]*>/g, " ")).replaceAll(/\s+/g, " ");
}

describe("a signup", () => {
  test("notes from which form and in which time zone it came", async () => {
    const [byCookie, byForm] = [newAddress(), newAddress()];
    const headers = { cookie: "tz=Europe%2FVienna" };
    await signUp(ada, { email: byCookie, source: "about" }, { headers });
    await signUp(ada, { email: byForm, timeZone: "Asia/Tokyo" }, { headers });
    await settled(site);
    const noted = { source: "about", timeZone: "Europe/Vienna" };
    expect(await subscriber(site, byCookie)).toMatchObject(noted);
    expect(await subscriber(site, byForm)).toMatchObject({ timeZone: "Asia/Tokyo" });
  });

  test.each(["admin", "nowhere"])("is not believed that it came from %s", async (source) => {
    const email = newAddress();
    await signUp(ada, { email, source }, { headers: { cookie: "tz=Mars" } });
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ source: null, timeZone: null });
  });
});

describe("the list of subscribers", () => {
  test("is searched by address and first name, and filtered by state", async () => {
    await subscribed("searched-one@example.com", { firstName: "Özlem", source: "footer" });
    await subscribed("searched-two@example.com", { firstName: "Bo", status: "pending" });
    await subscribed("searched-three@example.com", { status: "unsubscribed", firstName: "" });
    await subscribed("searched-four@example.com");
    await suppress("searched-four@example.com");
    const found = async (query: string) =>
      [...(await wordsOf(`${list}?${query}`)).matchAll(/searched-(\w+)@/g)].map(([, name]) => name);
    expect((await found("q=Searched-")).toSorted()).toEqual(["four", "one", "three", "two"]);
    expect(await found("q=özl")).toEqual(["one"]);
    expect(await found("q=searched-&state=confirmed")).toEqual(["one"]);
    expect(await found("q=searched-&state=waiting")).toEqual(["two"]);
    expect(await found("q=searched-&state=left")).toEqual(["three"]);
    expect(await found("q=searched-&state=suppressed")).toEqual(["four"]);
    expect(await wordsOf(`${list}?q=özl`)).toContain("The foot of a page");
  });

  test("adds somebody who has confirmed, and says what is wrong with an address", async () => {
    const email = newAddress();
    const form = { firstName: "Ada", email };
    const answer = await site.ask(`${list}/new`, { as: admin, form });
    expect([answer.status, toastOf(answer)?.title]).toEqual([303, "Asked to confirm"]);
    await settled(site);
    expect(await subscriber(site, email)).toMatchObject({ status: "pending", source: "admin" });
    await subscribed("known@example.com");
    for (const [typed, says] of [
      ["known@example.com", "This address is on the list already."],
      ["searched-four@example.com", "No email is sent to this address"],
      ["no", "This address does not look complete."],
    ] as const) {
      const refused = await site.ask(`${list}/new`, { as: admin, form: { ...form, email: typed } });
      const page = await refused.text();
      expect(refused.status).toBe(400);
      expect(page).toContain(says);
      expect(page).toContain(`value="${typed}"`);
    }
  });

  test("removes a subscriber, and the audit log does not have the address", async () => {
    const email = "removed@example.com";
    const at = `${list}/${await subscribed(email)}`;
    expect(await wordsOf(`${at}?delete=1`)).toContain("Remove this subscriber?");
    const answer = await site.ask(at, { as: admin, form: { intent: "remove" } });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, list]);
    expect(await subscriber(site, email)).toBe(undefined);
    const entries = await site.services.db.read.selectFrom("auditEntries").selectAll().execute();
    expect(entries.map(({ action }) => action)).toContain("subscriber.removed");
    expect(JSON.stringify(entries)).not.toContain("removed@");
    expect((await site.ask(at, { as: admin })).status).toBe(404);
  });

  test("shows what is known of a subscriber", async () => {
    const { id, email } = await createPerson(site.services, { name: "Nora" });
    const more = { consent: "2022-01-01: a fair", source: "import" };
    const at = `${list}/${await subscribed(email, more)}`;
    await suppress(email);
    const shown = await wordsOf(at);
    for (const words of ["Suppressed", more.consent, "Nora", "They reported an email as spam"])
      expect(shown).toContain(words);
    const page = await (await site.ask(at, { as: admin })).text();
    expect(page).toContain(`/admin/students/${id}`);
  });
});

async function recipientsOf(asked: Segment, limit = 2) {
  const { clock } = site;
  const { db } = site.services;
  const found: string[] = [];
  let after: string | null = null;
  do {
    const page = await listRecipients(db.read, asked, { now: clock.now(), after, limit });
    found.push(...page.rows.map(({ email }) => email.split("@")[0] ?? ""));
    after = page.position;
  } while (after !== null);
  const counted = await countRecipients(db, asked, clock.now());
  expect(counted).toEqual({ count: found.length, isExact: true });
  return found.toSorted();
}

test("recipients of an issue: those of its segment who may get it, in portions", async () => {
  const { services, clock } = site;
  await services.db.write.deleteFrom("subscribers").execute();
  const now = clock.now();
  const old = new Date(now.getTime() - 100 * 24 * 3600_000);
  const { id: productId } = await createCourse(services, [[{}]]);
  const add = (name: string, more: More = {}) => subscribed(`${name}@example.com`, more);
  async function addUser(name: string, account: object) {
    const email = `${name}@example.com`;
    await subscribed(email);
    const { id } = await createPerson(services);
    const profile = services.db.write.updateTable("profiles").set({ email, ...account });
    await profile.where("id", "=", id).execute();
    if (name.startsWith("student")) await enroll(services, { userId: id, productId });
  }
  await add("old", { confirmedAt: old });
  await add("new");
  await add("awake", { quietUntilAt: old });
  await addUser("user", {});
  await addUser("student", {});
  await addUser("student-suspended", { suspendedAt: now });
  await addUser("student-deleted", { deletionDueAt: now });
  await add("monthly", { monthly: true });
  await add("quiet", { quietUntilAt: new Date(now.getTime() + 60_000) });
  await add("waiting", { status: "pending" });
  await add("gone", { status: "unsubscribed" });
  await add("bounced");
  await suppress("bounced@example.com");

  const all = ["awake", "new", "old", "student", "user"];
  expect(await recipientsOf({ kind: "all" })).toEqual(all);
  expect(await recipientsOf({ kind: "all" }, 500)).toEqual(all);
  expect(await recipientsOf({ kind: "course", productId })).toEqual(["student"]);
  expect(await recipientsOf({ kind: "without-account" })).toEqual(["awake", "new", "old"]);
  const since = new Date(old.getTime() + 1).toISOString();
  const recent = ["awake", "new", "student", "user"];
  expect(await recipientsOf({ kind: "new-since", since })).toEqual(recent);
});
