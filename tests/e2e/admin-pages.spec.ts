import { scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { noteOutage } from "~/platform/email/outage.ts";
import type { Services } from "~/platform/http/services.ts";
import { adminPath } from "../support/every-page.ts";
import { createPerson } from "../support/people.ts";
import { adminPages } from "../support/route-table.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { createStudent } from "./support/students.ts";
import { expect, test, toast } from "./support/test.ts";
import { weigh } from "./support/weigh.ts";

/** From now on a table cannot be read. @returns what puts it back */
async function takeAway({ db }: Services, table: string): Promise<() => Promise<void>> {
  const away = `${table}_away`;
  await db.write.schema.alterTable(table).renameTo(away).execute();
  return () => db.write.schema.alterTable(away).renameTo(table).execute();
}

const looking = { widths: [320, 1280], night: true };
const kib = 1024;

test.describe("each page", () => {
  test.use({ siteKind: "shared" });

  test("there are pages to look at", () => expect(adminPages.length).toBeGreaterThan(12));

  for (const pattern of adminPages)
    test(`${pattern}`, async ({ site, device }) => {
      const { services } = site;
      const page = await device({ as: await createPerson(services, { role: "admin" }) });
      const student = await createStudent(services, { days: 9 });
      const { script } = await weigh(page, await adminPath(services, pattern, student.id));
      expect(script, "compressed bytes of scripts").toBeLessThanOrEqual(200 * kib);
      await hydrated(page);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
      await look(page, pattern.slice(1).replaceAll("/", "-").replace(":", ""), looking);
    });
});

test.describe("states", () => {
  test.use({ settings: { SMTP_URL: "smtp://127.0.0.1:9", MAIL_FROM: "coach@example.com" } });

  test("an account deletion, no mail server, a list that failed, no courses", async ({
    site,
    device,
  }) => {
    const { write } = site.services.db;
    const page = await device({ as: await createPerson(site.services, { role: "admin" }) });
    const states = async (name: string, path: string, says: string | RegExp) => {
      await page.goto(path);
      await expect(page.getByRole("main").getByText(says)).toBeVisible();
      await look(page, `admin-${name}`, looking);
    };

    const student = await createStudent(site.services);
    await scheduleDeletion(site.services, student.id);
    await states("student-deleting", `/admin/students/${student.id}`, /account to be deleted/);

    const now = site.services.clock.now();
    await noteOutage(write, { since: now, lastSeen: now, words: `421 ${"too busy ".repeat(40)}` });
    await states("mail-outage", "/admin/mail", "The mail server cannot be used");

    const putBack = await takeAway(site.services, "lessons");
    await states("lessons-failed", "/admin/lessons", "Failed to load lessons");
    await expect(toast(page, "Error")).toContainText("Failed to load lessons");
    await putBack();
    await page.getByRole("link", { name: "Try again" }).click();
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    await expect(page.getByRole("main").getByText("Failed to load lessons")).toHaveCount(0);

    await write
      .updateTable("products")
      .set({ deletedAt: new Date(0) })
      .execute();
    await states("courses-empty", "/admin", "No courses yet");
    await states("modules-empty", "/admin/modules", "No modules yet");
    await states("lessons-empty", "/admin/lessons", "No lessons yet");
    await states("deleted-empty", "/admin/courses/deleted", "Nothing was deleted lately");
  });
});
