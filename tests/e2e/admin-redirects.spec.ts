import { LostPages } from "~/features/redirects/lost-pages.server.ts";
import { redirectCourse } from "~/features/redirects/redirects.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../support/courses.ts";
import { createCoach, openAdmin } from "./support/lessons.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test, toast } from "./support/test.ts";

test.use({ siteKind: "own" });

const night = { night: true };
const browser = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };

test("an address that was not found is sent on, changed and removed", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/redirects\/new\.data\?from=%2Fabout-me$/);
  const slug = "grief-at-work";
  await createCourse(services, [[{}]], { slug, title: "Grief at work" });
  const pages = new LostPages(services, () => "UTC");
  const asked = ["/old-leaflet.html", "/blog/2019/05/my-brother-died", "/retreat", "/caf%c3%a9"];
  for (const [times, path] of [...asked, "/kontakt", "/about-me", "/shop"].entries())
    for (let n = 0; n <= times; n += 1) pages.count(path, "lost", browser);
  const page = await device({ as: await createCoach(services) });
  const dialog = page.getByRole("dialog");

  await test.step("nothing yet", async () => {
    await openAdmin(page, "/admin/redirects");
    await expect(page.getByText("No old addresses yet")).toBeVisible();
    await look(page, "admin-addresses-empty", { widths: [1280] });
  });

  await test.step("what was not found, with how often; one of them is sent to a course", async () => {
    await pages.flush();
    await redirectCourse(services.db.write, services, { from: "loss-at-work", to: slug });
    await redirectCourse(services.db.write, services, {
      from: `a-much-longer-name-of-a-course-that-was-renamed-${newId()}`,
      to: "gone",
    });
    await page.reload();
    await page.getByRole("link", { name: "All 7 addresses" }).click();
    await expect(page.getByRole("rowheader")).toHaveCount(7);
    await look(page, "admin-lost-pages", night);
    await page.getByRole("link", { name: "Send them to… (who asks for /about-me)" }).click();
    await expect(page.getByLabel("Old address")).toHaveValue("/about-me");
    await expect(page.getByLabel("Another address")).toBeHidden();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Choose a page, or type another address.")).toBeVisible();
    await expect(page.getByLabel("Leads to")).toBeFocused();
    await page.getByLabel("Leads to").selectOption("Another address, typed below");
    await page.getByLabel("Another address").fill("/nowhere");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("There is no page at /nowhere.")).toBeVisible();
    await expect(page.getByLabel("Another address")).toBeFocused();
    await look(page, "admin-address-refused", night);
    await page.getByLabel("Leads to").selectOption("Grief at work");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(toast(page, `/about-me now leads to /courses/${slug}.`)).toBeVisible();
    await look(page, "admin-addresses", night);
  });

  await test.step("a visitor is led there", async () => {
    const visitor = await device();
    await visitor.goto("/About-Me");
    await expect(visitor).toHaveURL(new RegExp(`/courses/${slug}$`));
    await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Grief at work");
  });

  await test.step("another is ignored, and the first one removed, after a question", async () => {
    await page.getByRole("button", { name: "Ignore /shop" }).click();
    await expect(toast(page, "Ignored")).toBeVisible();
    await expect(page.getByText("/shop", { exact: true })).toHaveCount(0);
    await page.getByRole("link", { name: "Remove /about-me" }).click();
    await expect(dialog).toContainText("Page Not Found");
    await look(page, "admin-address-remove", { widths: [360] });
    await dialog.getByRole("button", { name: "Remove" }).click();
    await expect(toast(page, "Removed")).toBeVisible();
    await expect(page.getByRole("link", { name: "/about-me", exact: true })).toHaveCount(0);
  });

  await test.step("the same without scripts, on a phone", async () => {
    const coach = await createCoach(services);
    const plain = await device({ as: coach, viewport: phone, javaScriptEnabled: false });
    await plain.goto("/admin/redirects/new");
    await plain.getByLabel("Old address").fill("/old-leaflet.html");
    await plain.getByLabel("Leads to").selectOption("About");
    await plain.getByRole("button", { name: "Save" }).click();
    await plain.getByRole("link", { name: "/old-leaflet.html", exact: true }).click();
    await plain.getByLabel("Leads to").selectOption("Coaching");
    await plain.getByRole("button", { name: "Save" }).click();
    await plain.getByRole("link", { name: "/old-leaflet.html", exact: true }).click();
    await plain.getByRole("link", { name: "Remove", exact: true }).click();
    await look(plain, "admin-address-remove-plain", { widths: [360], axe: false });
    await plain.getByRole("button", { name: "Remove" }).click();
    await expect(toast(plain, "Removed")).toBeVisible();
    await expect(plain.getByText("/old-leaflet.html", { exact: true })).toHaveCount(0);
  });
});
