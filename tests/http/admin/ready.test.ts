import { chmodSync } from "node:fs";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { savePageDraft } from "~/features/pages/drafts.server.ts";
import { getEditedPage } from "~/features/pages/pages.server.ts";
import { getPageChanges, publishPage } from "~/features/pages/publish.server.ts";
import type { FieldValue } from "~/features/pages/schema.ts";
import { noteWebhookHeard } from "~/features/payments/webhook-heard.server.ts";
import { setPortrait } from "~/features/pictures/pictures.server.ts";
import { listReadiness } from "~/features/readiness/readiness.server.ts";
import { noteBackup } from "~/platform/backup/last-backup.ts";
import { newId } from "~/platform/db/ids.ts";
import { endOutage, noteOutage } from "~/platform/email/outage.ts";
import { giveApp } from "../../support/authenticator-app.ts";
import { createCourse } from "../../support/courses.ts";
import { writeFailed } from "../../support/email-log.ts";
import { listFile } from "../../support/lesson-files.ts";
import { linesOf } from "../../support/page-text.ts";
import { recordPayment } from "../../support/payments.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { storedPicture } from "../../support/pictures.ts";
import { siteOfFile, startSite } from "../../support/site.ts";

const settings = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
  STRIPE_API_URL: "http://127.0.0.1:9",
  SMTP_URL: "smtp://127.0.0.1:9",
  MAIL_FROM: "Ada <ada@calm.org>",
};
const site = siteOfFile({ SAMPLE_CONTENT: "on", COMING_SOON: "none", ...settings });
let admin: Person;
beforeAll(async () => {
  admin = await createPerson(site.services, { role: "admin" });
});

const stateOf = async (id: string, services = site.services) => {
  const checks = await listReadiness(services);
  const { state, text } = checks.find((check) => check.id === id) ?? {};
  return { state, text };
};

/** Publishes words of a page, and reads them as the page cache does. */
async function publish(name: string, words: Record<string, FieldValue>) {
  const { services } = site;
  const page = await getEditedPage(services, name);
  for (const [field, value] of Object.entries(words)) {
    const draft = { userId: admin.id, draftId: newId(), revision: 1, absorbed: [] };
    await savePageDraft(services, page, { ...draft, field, value });
  }
  await publishPage(services, page, (await getPageChanges(services, page)).shown);
  await services.content.refresh();
}

describe("GET /admin/ready", () => {
  const read = async (of = site, as = admin) => {
    const answer = await of.ask("/admin/ready", { as });
    expect(answer.status).toBe(200);
    return (await answer.text()).replaceAll("<!-- -->", "");
  };

  test("says what would shame the coach, each line with its place and its state in words", async () => {
    const lines = linesOf(await read());
    const at = lines.findIndex((line) => line.startsWith("### [Testimonials]"));
    expect(lines[at]).toBe(
      "### [Testimonials](/admin/pages/home?field=testimonials#testimonials)Missing",
    );
    expect(lines[at + 1]).toMatch(/^Two quotes on Home are invented examples\. Put in real/);
    for (const group of ["Your words", "Courses", "Money", "Email", "Safety"])
      expect(lines.find((line) => line.startsWith(`## ${group}`))).toMatch(/\d+ of \d+ done$/);
    expect(lines.join("\n")).toMatch(/\d+ things are missing, \d+ are worth a look\./);
    expect(lines).toContain("## On the server");
  });

  test("no secret of the settings is in it", async () => {
    const page = await read();
    for (const secret of [site.services.config.authSecret, "sk_test_1", "whsec_1"])
      expect(page).not.toContain(secret);
  });

  test("a table that cannot be read is a line, and the page is there", async () => {
    const other = await startSite();
    try {
      const { schema } = other.services.db.write;
      await schema.alterTable("share_cards").renameTo("share_cards_away").execute();
      const coach = await createPerson(other.services, { role: "admin" });
      const text = await read(other as unknown as typeof site, coach);
      expect(text).toContain("This could not be looked at just now.");
      expect(text).toContain("Two quotes on Home");
    } finally {
      await other.close();
    }
  });

  test("the overview says how much is missing, and leads there", async () => {
    const text = await (await site.ask("/admin", { as: admin })).text();
    const missing = (await listReadiness(site.services)).filter(({ state }) => state === "missing");
    expect(text).toContain(`${missing.length} things are missing before you open.`);
    expect(text).toMatch(/<a href="\/admin\/ready"[^>]*>See what/);
  });
});

describe("the checklist of a site", () => {
  test("words: examples are found until others are published, for every kind of place", async () => {
    const ids = ["testimonials", "films", "names", "email-address", "postal-address", "social"];
    const more = ["application", "privacy", "terms", "story"];
    for (const id of [...ids, ...more.slice(0, 3)])
      expect(await stateOf(id), id).toMatchObject({ state: "missing" });
    await publish("home", { testimonials: [{ quote: "It helped.", who: "A." }], featured: [] });
    const own = { coachName: "Ada Byron", coachFirstName: "Ada", postalAddress: "1 Main Street" };
    const profiles = [{ address: "https://social.org/ada" }];
    await publish("site", { ...own, email: "ada@calm.org", socialHandle: "@ada", profiles });
    await publish("coaching", { application: "https://forms.calm.org/" });
    for (const name of ["privacy", "terms"]) await publish(name, { heading: "Our rules" });
    await publish("about", { shareLine: "" });
    for (const id of [...ids, ...more])
      expect(await stateOf(id), id).toMatchObject({ state: "good" });
    expect(await stateOf("example-addresses")).toMatchObject({ state: "good" });
    await publish("terms", { lead: "See http://house.example/rules." });
    expect(await stateOf("example-addresses")).toEqual({
      state: "missing",
      text: "Terms of service has house.example under “First sentences”, which is no real address.",
    });
  });

  test("pictures: the portrait, and what is shown where a page is shared", async () => {
    const { services } = site;
    expect(await stateOf("portrait")).toMatchObject({ state: "look" });
    await storedPicture(services, null);
    const picture = await services.db.read.selectFrom("pictures").select("id").execute();
    await setPortrait(services, picture[0]?.id ?? "");
    expect(await stateOf("portrait")).toMatchObject({ state: "good" });
    await publish("coaching", { shareTitle: "An hour for you" });
    services.wakeWorker();
    await vi.waitFor(
      async () => expect(await stateOf("share-pictures")).toMatchObject({ state: "good" }),
      { timeout: 20_000, interval: 50 },
    );
    await services.db.write.deleteFrom("shareCards").where("page", "=", "coaching").execute();
    expect(await stateOf("share-pictures")).toEqual({
      state: "missing",
      text: "Where these are shared, the picture still has the words that came with the site: Coaching.",
    });
  });

  test("courses: an open one keeps what its page promises, by questions, files and audio", async () => {
    const { services } = site;
    expect(await stateOf("open-course")).toMatchObject({ state: "good" });
    expect(await stateOf("promises")).toMatchObject({ state: "good" });
    expect(await stateOf("sample-recordings")).toMatchObject({ state: "look" });
    const bare = await createCourse(services, [[{}]], { title: "Bare" });
    await publish(`course:${bare.id}`, {
      description: "A course.",
      facts: [{ fact: "Audio guides" }, { fact: "Downloadable worksheets" }],
    });
    const broken = async () =>
      (await listReadiness(services))
        .filter(({ id, state }) => id.startsWith("promises") && state === "missing")
        .map(({ text }) => text.split(",")[0]);
    const audio = "The page of “Bare” promises audio";
    expect(await broken()).toEqual(["The page of “Bare” promises worksheets", audio]);
    const lesson = bare.modules[0]?.lessons[0]?.id ?? "";
    await listFile(services, lesson, { key: "bare/w.pdf", title: "Worksheet" });
    expect(await broken()).toEqual([audio]);
    const lessons = services.db.write.updateTable("lessons").where("id", "=", lesson);
    await lessons.set({ audioKey: "bare/a.mp3" }).execute();
    expect(await broken()).toEqual([]);
    const products = services.db.write.updateTable("products");
    await createCourse(services, [], { title: "Empty" });
    expect((await stateOf("lessons")).text).toBe("“Empty” is open and has no lesson yet.");
    await products.set({ active: false }).execute();
    for (const id of ["lessons", "promises", "sample-recordings"])
      expect(await stateOf(id), id).toMatchObject({ state: "good" });
    expect(await stateOf("open-course")).toMatchObject({ state: "missing" });
    await products.set({ active: true }).execute();
  });

  test("money: keys, and word from Stripe itself", async () => {
    const { services, clock } = site;
    expect(await stateOf("stripe-key")).toMatchObject({ state: "missing" });
    const stripe = { ...services.config.stripe, secretKey: "sk_live_1" };
    const config = { ...services.config, stripe } as typeof services.config;
    expect(await stateOf("stripe-key", { ...services, config })).toMatchObject({ state: "good" });
    expect(await stateOf("stripe-webhook")).toMatchObject({ state: "missing" });
    await noteWebhookHeard(services);
    expect(await stateOf("stripe-webhook")).toEqual({
      state: "good",
      text: "It last came just now.",
    });
    clock.forwardDays(2);
    const [product] = await services.db.read.selectFrom("products").select("id").execute();
    await recordPayment(services, { userId: admin.id, productId: product?.id ?? "" });
    expect((await stateOf("stripe-webhook")).text).toContain("last came 2 days ago");
  });

  test("email: the test email, what failed, and an outage", async () => {
    const { services } = site;
    const { clock } = site;
    const { db } = services;
    expect(await stateOf("mail-from")).toMatchObject({ state: "good" });
    expect(await stateOf("test-email")).toMatchObject({ state: "missing" });
    const tests = [
      ["To a file", "missing"],
      ["Failed", "missing"],
      ["", "good"],
    ];
    for (const [label = "", state] of tests) {
      clock.forward(1000);
      await recordAudit(db.write, { clock, actor: admin }, { action: "mail.tested", label });
      expect(await stateOf("test-email"), label).toMatchObject({ state });
    }
    expect(await stateOf("failed-emails")).toMatchObject({ state: "good" });
    await writeFailed(services);
    expect(await stateOf("failed-emails")).toMatchObject({ state: "look" });
    expect(await stateOf("mail-server")).toMatchObject({ state: "good" });
    const now = clock.now();
    await noteOutage(db.write, { since: now, lastSeen: now, words: "421 too busy" });
    expect((await stateOf("mail-server")).text).toMatch(/says: 421 too busy$/);
    await endOutage(db.write);
    const config = { ...services.config, smtpUrl: undefined };
    expect(await stateOf("mail-server", { ...services, config })).toMatchObject({
      state: "missing",
    });
  });

  test("safety: backups, two-factor, the folder, the address", async () => {
    const { services, clock } = site;
    const { config } = services;
    expect(await stateOf("address")).toMatchObject({ state: "missing" });
    const open = { ...services, config: { ...config, appUrl: "https://calm.org" } };
    expect(await stateOf("address", open)).toMatchObject({ state: "good" });
    expect((await stateOf("backup")).text).toMatch(/^None was made yet/);
    const madeAt = clock.now();
    await noteBackup(config, madeAt);
    await noteBackup(config, new Date(madeAt.getTime() - 90_000_000));
    expect(await stateOf("backup")).toMatchObject({ state: "good" });
    clock.forward(26.5 * 3600_000);
    expect(await stateOf("backup")).toMatchObject({ state: "missing" });
    expect(await stateOf("two-factor")).toMatchObject({ state: "look" });
    await giveApp(services, admin);
    expect(await stateOf("two-factor")).toMatchObject({ state: "good" });
    chmodSync(config.dataDir, 0o755);
    expect(await stateOf("data-folder")).toMatchObject({ state: "look" });
    chmodSync(config.dataDir, 0o700);
    expect(await stateOf("data-folder")).toMatchObject({ state: "good" });
    expect((await stateOf("disk")).text).toMatch(/B of .*B are free\./);
  });
});
