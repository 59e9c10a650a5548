import { afterAll, beforeAll, expect, test } from "vitest";
import { createAccount } from "../../support/accounts.ts";
import { readable, toastOf } from "../../support/answers.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import type { Visitor } from "../../support/visitor.ts";
import { addApp, giveCode, secondStep, security, signedIn } from "./steps.ts";

let site: TestSite;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1", ADMIN_SECOND_FACTOR: "on" });
  course = await createCourse(site.services, [[{}]], {});
});
afterAll(() => site.close());

const upload = { method: "POST", headers: { "tus-resumable": "1.0.0", "upload-length": "5" } };
const isAdmin = async (who: Visitor) =>
  ((await (await who.ask("/api/verify-admin", { json: {} })).json()) as { isAdmin: boolean })
    .isAdmin;

async function expectNoAdmin(who: Visitor) {
  for (const path of [
    "/admin",
    "/admin/students",
    "/admin/slug?title=x",
    "/admin/export/students",
  ]) {
    const page = await who.ask(path);
    expect(page.headers.get("location")).toBe(security);
    expect(toastOf(page)?.title).toBe("One more step for administrators");
    const form = await who.ask(path, { form: {} });
    expect([405, 302, 303]).toContain(form.status);
    expect(form.headers.get("location") ?? security).toBe(security);
  }
  expect(await (await who.ask("/admin.data")).text()).toContain("SingleFetchRedirect");
  expect(await isAdmin(who)).toBe(false);
  expect((await who.ask("/uploads", upload)).status).toBe(403);
  // Nor does she read lessons that she is not enrolled in.
  const player = await who.ask(`/courses/${course.slug}/learn`);
  expect(toastOf(player)?.title).toBe("Not enrolled");
}

test("an administrator without a second factor is none, until she has added one", async () => {
  const coach = await createAccount(site.services, { role: "admin" });
  const who = await signedIn(site, coach);
  await expectNoAdmin(who);
  const page = readable(await (await who.ask(security)).text());
  expect(page).toContain("Administrators need one more step here");

  const { app } = await addApp(site, who);
  expect((await who.ask("/admin")).status).toBe(200);
  expect(await isAdmin(who)).toBe(true);
  expect((await who.ask("/uploads", upload)).status).not.toBe(403);

  // With it, signing in anew has to give it.
  site.clock.forward(60_000);
  const other = await signedIn(site, coach);
  expect(await isAdmin(other)).toBe(false);
  expect((await other.ask("/admin")).headers.get("location")).toBe("/auth?redirect=/admin");
  expect((await giveCode(other, await app.code(site.clock.now()))).status).toBe(303);
  expect(await isAdmin(other)).toBe(true);

  const row = await site.services.db.read
    .selectFrom("factors")
    .select("id")
    .where("userId", "=", coach.id)
    .executeTakeFirstOrThrow();
  await other.ask(`${security}/remove?app=${row.id}`, { form: { password: coach.password } });
  await expectNoAdmin(other);
  await expectNoAdmin(who);
});

test("a passkey is a factor of hers: with her password alone she may change nothing", async () => {
  const coach = await createAccount(site.services, { role: "admin" });
  await site.services.db.write
    .insertInto("passkeys")
    .values({
      id: coach.id,
      userId: coach.id,
      name: "Laptop",
      publicKey: "x",
      credentialId: coach.id,
      counter: 0,
      deviceType: "singleDevice",
      backedUp: false,
    })
    .execute();
  const who = await signedIn(site, coach);
  expect((await who.ask(security)).headers.get("location")).toMatch(/^\/auth\?redirect=/);
  const page = readable(await (await who.ask(secondStep)).text());
  expect(page).toContain("Your passkey is asked for as well.");
  expect(page).not.toContain('name="code"');
});

test("whoever puts it off goes on, and the admin stays closed", async () => {
  const who = await signedIn(site, await createAccount(site.services, { role: "admin" }));
  const page = await who.ask("/auth/protect?redirect=/courses");
  expect(readable(await page.text())).toContain("Not now: remind me in a week");
  const later = await who.ask("/auth/protect?redirect=/courses", { form: {} });
  expect(later.headers.get("location")).toBe("/courses");
  await expectNoAdmin(who);
});

test("students are asked for nothing", async () => {
  const who = await signedIn(site, await createAccount(site.services));
  expect((await who.ask("/my-courses")).status).toBe(200);
  const ben = await createAccount(site.services);
  await giveApp(site.services, ben);
  expect((await (await signedIn(site, ben)).ask("/my-courses")).status).toBe(302);
});
