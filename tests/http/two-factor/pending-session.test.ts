import { beforeAll, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { emailTo, pathOf } from "../../support/mailbox.ts";
import { ownRows, profilesWith } from "../../support/own-rows.ts";
import { siteOfFile } from "../../support/site.ts";
import { isSignedIn, signedIn, type Visitor, visitor } from "../../support/visitor.ts";
import { secondStep, security } from "./steps.ts";

const site = siteOfFile();
let course: TestCourse;
let admin: Awaited<ReturnType<typeof createAccount>>;
let who: Visitor;

beforeAll(async () => {
  course = await createCourse(site.services, [[{}]], {});
  admin = await createAccount(site.services, { role: "admin" });
  await giveApp(site.services, admin);
  who = await signedIn(site, admin);
});

const toAuth = /^\/auth\?redirect=/;

test.each([
  "/my-courses",
  "/admin",
  "/admin/students",
  "/admin/export/enrollments",
  "/account",
  security,
  `${security}/app`,
  `${security}/codes`,
  `${security}/remove?app=x`,
])("%s: is closed before the second step, as a page and as data", async (path) => {
  const page = await who.ask(path);
  expect(page.status).toBe(302);
  expect(page.headers.get("location")).toMatch(toAuth);
  const url = new URL(path, site.url);
  const forScripts = await (await who.ask(`${url.pathname}.data${url.search}`)).text();
  expect(forScripts).toContain("SingleFetchRedirect");
  expect(forScripts).not.toContain(admin.email);
});

test("lessons, drafts and captions: are closed before the second step", async () => {
  const learn = `/courses/${course.slug}/learn`;
  expect((await who.ask(learn)).headers.get("location")).toMatch(toAuth);
  const draft = { draftId: "x", lessonId: "x", revision: 1, answers: [] };
  expect((await who.ask(`${learn}/draft`, { json: draft })).status).toBe(401);
  for (const path of ["media?lesson=x", "captions?lesson=x&kind=video"])
    expect((await who.ask(`${learn}/${path}`)).status).toBe(401);
  const position = { method: "PUT", json: {} };
  expect((await who.ask(`${learn}/position`, position)).status).toBe(401);
});

test("API: is closed before the second step", async () => {
  const isAdmin = await (await who.ask("/api/verify-admin", { json: {} })).json();
  expect(isAdmin).toEqual({ isAdmin: false });
  const checkout = await who.ask("/api/create-checkout", { json: { productId: course.id } });
  expect(checkout.status).toBe(401);
  const upload = { method: "POST", headers: { "tus-resumable": "1.0.0", "upload-length": "5" } };
  expect((await who.ask("/uploads", upload)).status).toBe(401);
  expect(await (await who.ask("/api/auth/get-session")).json()).toBeNull();
  expect((await who.ask("/api/auth/token")).status).toBe(401);
  expect((await who.ask("/api/auth/passkey/generate-register-options")).status).toBe(401);
});

test.each([
  ["in quotation marks", (value: string) => `"${value}"`],
  ["beside one that cannot be decoded", (value: string) => `%zz; blue-dot.session_token=${value}`],
  ["not encoded", (value: string) => decodeURIComponent(value)],
])("API: is closed before the second step, with the cookie %s", async (_, written) => {
  const value = who.cookies.get("blue-dot.session_token") ?? "";
  const cookie = `blue-dot.session_token=${written(value)}`;
  const get = (path: string) => site.ask(path, { headers: { cookie } });
  expect(await (await get("/api/auth/get-session")).json()).toBeNull();
  expect((await get("/api/auth/token")).status).toBe(401);
  expect((await get("/api/auth/passkey/generate-register-options")).status).toBe(401);
});

test("a session before the second step: ends after ten minutes", async () => {
  const late = () =>
    site.services.db.read
      .selectFrom("sessions")
      .select("id")
      .where("userId", "=", admin.id)
      .where("expiresAt", ">", new Date(Date.now() + 11 * 60_000))
      .execute();
  expect((await who.ask("/api/auth/passkey/generate-authenticate-options")).status).toBe(200);
  await who.ask("/api/auth/send-verification-email", { json: { email: newAddress() } });
  expect(await late()).toEqual([]);
});

test("account: cannot be changed before the second step", async () => {
  const rows = () => ownRows(site.services, "factors", admin.id);
  const before = await rows();
  const [factor] = before;
  const form = { intent: "begin", name: "Mine", password: admin.password };
  for (const path of [
    "/app",
    `/remove?app=${factor?.id}`,
    `/rename?app=${factor?.id}`,
    "/codes",
    "",
  ])
    expect((await who.ask(security + path, { form })).headers.get("location")).toMatch(toAuth);
  expect(await rows()).toEqual(before);
  const page = await (await who.ask(secondStep)).text();
  expect(page).toContain(admin.email);
  expect(page).toContain('data-session="out"');
  // Public pages are there, as for everybody.
  const home = await who.ask("/courses");
  expect(home.status).toBe(200);
  expect(await home.text()).not.toContain(admin.email);
});

test("POST /auth/verify: leads to the second step", async () => {
  const ines = { name: "Ines", email: newAddress(), password: goodPassword };
  const browser = visitor(site);
  await browser.ask("/auth?mode=sign-up", { form: ines });
  const message = await emailTo(site.services.config, ines.email);
  const [profile] = await profilesWith(site.services, ines.email);
  await giveApp(site.services, { id: profile?.id ?? "" });
  const confirmed = await browser.ask(pathOf(message), { form: {} });
  expect(confirmed.headers.get("location")).toBe(secondStep);
  expect(await isSignedIn(browser)).toBe(false);
});
