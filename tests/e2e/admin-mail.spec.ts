import { noteOutage } from "~/platform/email/outage.ts";
import { writeAllFailed, writeFailed, writeRow } from "../support/mail-desk.ts";
import { createPerson } from "../support/people.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test } from "./support/test.ts";

const everyWidth = { widths: [320, 360, 1280], night: true };

test("she sees which letters could not be sent, and why, and sends them again", async ({
  site,
  device,
}) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const ada = await createPerson(services, { name: "Ada Lovelace" });
  const page = await device({ as: admin });
  await services.db.write.deleteFrom("outbox").execute();
  await page.goto("/admin/mail");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "No emails yet" })).toBeVisible();
  await look(page, "admin-mail-empty", everyWidth);

  const now = services.clock.now();
  await writeRow(services, { userId: ada.id });
  await writeRow(services, {
    kind: "learning.module-completed",
    userId: ada.id,
    subject: "You finished “Where you are”",
    finishedAt: now,
    payload: "{}",
  });
  await writeRow(services, {
    kind: "enrollments.invitation",
    address: "retry@mail.example",
    attempts: 3,
    lastError: "451 4.7.1 Greylisting in action, please come back later",
  });
  await writeFailed(services, {
    userId: ada.id,
    failure: "expired",
    lastError: "the link had expired",
  });
  await writeFailed(services, {
    kind: "newsletter.signup",
    address: "somebody@mail.example",
    failure: "broken",
    lastError: "the newsletter provider answered 422",
    attempts: 1,
  });
  await writeFailed(services, {
    kind: "enrollments.invitation",
    address: `${"maximiliana.".repeat(18)}m@mail.example`,
    failure: "refused",
    attempts: 1,
    lastError: `550 5.1.1 ${"no-such-mailbox-".repeat(20)} (see https://mail.example/why)`,
  });
  const full = await writeFailed(services, { userId: ada.id, kind: "of.a.newer.version" });
  await page.goto("/admin/mail");
  await hydrated(page);
  const quiet = page.getByRole("navigation", { name: "Payments and logs" });
  await expect(quiet.getByRole("link", { name: "Email" })).toHaveText(/4/);
  await look(page, "admin-mail", everyWidth);

  await page.getByRole("combobox", { name: "State" }).selectOption("Not sent");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(4);
  await look(page, "admin-mail-failed");
  const row = page.getByRole("row").filter({ hasText: "Something that this version" });
  await row.getByRole("button", { name: /^Send again/ }).click();
  await expect(page.getByText("It will be tried again")).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveCount(3);
  const sent = await services.db.read
    .selectFrom("outbox")
    .select(["failedAt", "attempts"])
    .where("id", "=", full)
    .executeTakeFirst();
  expect(sent).toEqual({ failedAt: null, attempts: 0 });

  const signup = page.getByRole("row").filter({ hasText: "Signing up" });
  await signup.getByRole("button", { name: /^Remove/ }).click();
  await look(page, "admin-mail-remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(page.getByText("Removed from the list")).toBeVisible();
  await expect(page.getByRole("rowheader")).toHaveCount(2);

  await page.getByRole("searchbox").fill("maximil");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page.getByRole("rowheader")).toHaveCount(1);
});

test("while the mail server is away, the page says since when, and what becomes of the letters", async ({
  site,
  device,
}) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  const now = services.clock.now();
  for (let n = 0; n < 3; n += 1)
    await writeRow(services, {
      address: `p${n}@mail.example`,
      dueAt: now,
      kind: "of.a.newer.version",
    });
  const words = "535 5.7.8 Error: authentication failed: UGFzc3dvcmQ6";
  await noteOutage(services.db.write, { since: now, lastSeen: now, words });
  const page = await device({ as: admin });
  await page.goto("/admin/mail");
  await hydrated(page);
  await expect(page.getByText("The mail server cannot be used")).toBeVisible();
  await look(page, "admin-mail-outage", everyWidth);
});

test("ten thousand failed letters are a list like any other", async ({ site, device }) => {
  const { services } = site;
  const admin = await createPerson(services, { role: "admin", name: "Nora Hale" });
  await services.db.write.deleteFrom("outbox").execute();
  const kind = "of.a.newer.version";
  const all = Array.from({ length: 10_000 }, (_, n) => ({ address: `p${n}@mail.example`, kind }));
  await writeAllFailed(services, all);
  const page = await device({ as: admin });
  await page.goto("/admin/mail?state=failed");
  await hydrated(page);
  await expect(page.getByRole("rowheader")).toHaveCount(50);
  await look(page, "admin-mail-many");
  await page.getByRole("button", { name: "Send again what was tried for days" }).click();
  await expect(page.getByText("10,000 will be tried again")).toBeVisible();
  await expect(page.getByText("Every email was sent")).toBeVisible();
  await look(page, "admin-mail-calm");
});
