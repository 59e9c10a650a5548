import { beforeAll, expect, test } from "vitest";
import { inviteAdministrator } from "~/features/accounts/admin-invitations.server.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { givePasskey, ownRows } from "../../support/own-rows.ts";
import { createPerson } from "../../support/people.ts";
import { readable, toastOf } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { signedIn, type Visitor, visitor } from "../../support/visitor.ts";
import { addApp, giveCode, secondStep, security } from "./steps.ts";

const site = siteOfFile({ ADMIN_SECOND_FACTOR: "on" });
let course: TestCourse;

beforeAll(async () => {
  course = await createCourse(site.services, [[{}]], {});
});

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
  // Nor are lessons open without an enrollment.
  const player = await who.ask(`/courses/${course.slug}/learn`);
  expect(toastOf(player)?.title).toBe("Not enrolled");
}

test("ADMIN_SECOND_FACTOR: an admin is a student until two-factor is on", async () => {
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

  const [row] = await ownRows(site.services, "factors", coach.id);
  await other.ask(`${security}/remove?app=${row?.id}`, { form: { password: coach.password } });
  await expectNoAdmin(other);
  await expectNoAdmin(who);
});

test("ADMIN_SECOND_FACTOR: with a passkey, the password alone opens nothing", async () => {
  const coach = await createAccount(site.services, { role: "admin" });
  await givePasskey(site.services, coach.id);
  const who = await signedIn(site, coach);
  expect((await who.ask(security)).headers.get("location")).toMatch(/^\/auth\?redirect=/);
  const page = readable(await (await who.ask(secondStep)).text());
  expect(page).toContain("Your passkey is asked for as well.");
  expect(page).not.toContain('name="code"');
});

test("ADMIN_SECOND_FACTOR: the admin stays closed when two-factor is put off", async () => {
  const who = await signedIn(site, await createAccount(site.services, { role: "admin" }));
  const page = await who.ask("/auth/protect?redirect=/courses");
  expect(readable(await page.text())).toContain("Not now: remind me in a week");
  const later = await who.ask("/auth/protect?redirect=/courses", { form: {} });
  expect(later.headers.get("location")).toBe("/courses");
  await expectNoAdmin(who);
});

test("ADMIN_SECOND_FACTOR: does not apply to students", async () => {
  const who = await signedIn(site, await createAccount(site.services));
  expect((await who.ask("/my-courses")).status).toBe(200);
  const ben = await createAccount(site.services);
  await giveApp(site.services, ben);
  expect((await (await signedIn(site, ben)).ask("/my-courses")).status).toBe(302);
});

test("ADMIN_SECOND_FACTOR: nor is one by invitation before two-factor is on", async () => {
  const coach = await createPerson(site.services, { role: "admin" });
  const email = newAddress();
  await inviteAdministrator(site.services, { typed: email, by: coach });
  const path = pathOf(await emailTo(site.services.config, email));
  const who = visitor(site);
  await who.ask(path, { form: { name: "Vera", password: goodPassword } });
  await expectNoAdmin(who);
});
