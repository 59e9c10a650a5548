import type { Page } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { createPerson } from "../support/people.ts";
import { expectVisibleFocus } from "./support/keyboard.ts";
import { hydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

const coachOf = (services: Services) =>
  createPerson(services, { role: "admin", name: "Nora Hale" });

/** Somebody with an account and a name to look for. */
async function named(services: Services, name: string, email: string) {
  const person = await createPerson(services, { name });
  await services.db.write
    .updateTable("profiles")
    .set({ email })
    .where("id", "=", person.id)
    .execute();
  return { ...person, email };
}

const field = "Student";
const people = (page: Page) => page.getByRole("listbox", { name: "People" }).getByRole("option");

test("an enrollment by mouse: search, choose, enroll, open, remove", async ({
  site,
  device,
  watch,
}) => {
  const { services } = site;
  const ada = await named(services, "Ada Lovelace", "ada@example.com");
  await named(services, "Adam Long-Surname-Without-End", "adam.long@a-very-long-domain.example");
  await named(services, "Grace Hopper", "grace@example.com");
  const page = await device({ as: await coachOf(services) });
  await page.goto("/admin/enrollments");
  await hydrated(page);
  await expect(page.getByRole("heading", { name: "Nobody is enrolled yet" })).toBeVisible();
  await look(page, "enrollments-empty", { night: true });

  await page.getByRole("link", { name: "New enrollment" }).first().click();
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  const box = page.getByRole("combobox", { name: field });
  await box.click();
  await expect(page.getByRole("status")).toHaveText("4 people found");
  await box.fill("ad");
  await expect(people(page)).toHaveCount(2);
  await expect(page.getByRole("status")).toHaveText("2 people found");
  await look(page, "enrollment-new-found", { widths: [320, 360, 1280], night: true });
  await people(page)
    .filter({ hasText: /Ada Lovelace/ })
    .click();
  await expect(box).toHaveValue("ada@example.com");
  await expect(page.getByRole("status")).toHaveText("Ada Lovelace is chosen.");
  await look(page, "enrollment-new-chosen");
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Enrollment created successfully")).toContainText(
    "Ada Lovelace can begin “The Blue Dot Method” now.",
  );
  const row = page.getByRole("row", { name: /Ada Lovelace/ });
  await expect(row).toContainText("ada@example.com");
  await expect(row).not.toContainText("Payment");
  await expect(row.getByRole("link", { name: "Ada Lovelace", exact: true })).toHaveAttribute(
    "href",
    `/admin/students/${ada.id}`,
  );

  await row.getByRole("link", { name: /^Open the enrollment of Ada Lovelace/ }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeVisible();
  await look(page, "enrollment", { widths: [320, 360, 1280], night: true });
  await page.getByRole("button", { name: "Remove this enrollment" }).click();
  const dialog = page.getByRole("dialog", { name: "Remove this enrollment?" });
  await expect(dialog).toContainText("Ada Lovelace can no longer open “The Blue Dot Method”");
  await expect(dialog).toContainText("is kept, and comes back with another enrollment");
  await expect(dialog).toContainText("nothing to refund");
  await look(page, "enrollment-remove", { widths: [320, 360, 1280], night: true });
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: "Remove this enrollment" }).click();
  await dialog.getByRole("button", { name: "Remove the enrollment" }).click();
  await expect(toast(page, "Enrollment removed successfully")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Nobody is enrolled yet" })).toBeVisible();

  watch.expect(/^answer 404: GET \/admin\/enrollments\//);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
});

test("by keyboard alone, and the same one again is harmless", async ({ site, device }) => {
  const { services } = site;
  await named(services, "Ada Lovelace", "ada@example.com");
  await named(services, "Zoe Ada", "zoe@example.com");
  const page = await device({ as: await coachOf(services) });
  const enrollAda = async () => {
    await page.goto("/admin/enrollments/new");
    await hydrated(page);
    const box = page.getByRole("combobox", { name: field });
    await expect(box).toBeVisible();
    await page.getByLabel("Course").focus();
    await page.keyboard.press("t");
    await expect(page.getByLabel("Course").locator("option:checked")).toHaveText(
      "The Blue Dot Method",
    );
    await page.keyboard.press("Tab");
    await expect(box).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.type("ada");
    await expect(people(page).first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowDown");
    const zoe = people(page).filter({ hasText: /Zoe/ });
    await expect(zoe).toHaveAttribute("aria-selected", "true");
    await expect(box).toHaveAttribute(
      "aria-activedescendant",
      (await zoe.getAttribute("id")) ?? "",
    );
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await expect(box).toHaveValue("ada@example.com");
    await expect(people(page)).toHaveCount(0);
    await page.keyboard.press("Enter");
  };
  await enrollAda();
  await expect(toast(page, "Enrollment created successfully")).toBeVisible();
  await enrollAda();
  await expect(toast(page, "Already enrolled")).toContainText(
    /Ada Lovelace has been in “The Blue Dot Method” since \w+ \d+, \d{4}\. Nothing was changed\./,
  );
  await expect(page.getByRole("heading", { level: 1, name: "Ada Lovelace" })).toBeVisible();
});

test("Enter takes nobody who was found for other words", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/admin\/enrollments\/new/);
  await named(site.services, "Ada Lovelace", "ada@example.com");
  const page = await device({ as: await coachOf(site.services) });
  await page.goto("/admin/enrollments/new");
  await hydrated(page);
  const box = page.getByRole("combobox", { name: field });
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await box.fill("ada");
  await expect(people(page).first()).toHaveAttribute("aria-selected", "true");
  await page.route("**/admin/students/search?q=zoe", () => undefined);
  await box.fill("zoe");
  await expect(people(page)).toHaveText(/Ada/);
  await box.press("ArrowDown");
  await box.press("Enter");
  await expect(box).toHaveAccessibleDescription(/Choose somebody from the list/);
  await expect(box).toHaveValue("zoe");
});

test("what is missing is said, and nothing typed is lost", async ({ site, device, watch }) => {
  watch.expect(/^answer 400: POST \/admin\/enrollments\/new/);
  const page = await device({ as: await coachOf(site.services) });
  await page.goto("/admin/enrollments/new");
  await hydrated(page);
  const box = page.getByRole("combobox", { name: field });
  const enroll = page.getByRole("button", { name: "Enroll" });
  await expect(box).toBeVisible();
  await enroll.click();
  const missing = "Please select both a course and a user";
  await expect(toast(page, "Error")).toContainText(missing);
  await expect(page.getByLabel("Course")).toBeFocused();
  await look(page, "enrollment-new-missing", { night: true });
  await page.getByLabel("Course").selectOption("7 Days of Calm");
  await enroll.click();
  await expect(box).toBeFocused();
  await expect(box).toHaveAccessibleDescription(new RegExp(missing));

  await box.fill("somebody");
  await expect(page.getByRole("status")).toHaveText("Nobody found: invite by email instead");
  await enroll.click();
  await expect(box).toHaveAccessibleDescription(/Choose somebody from the list/);
  await expect(box).toHaveValue("somebody");
  await expect(page.getByLabel("Course").locator("option:checked")).toHaveText("7 Days of Calm");

  await box.fill("new@example.com");
  await enroll.click();
  await expect(box).toHaveAccessibleDescription(/Nobody with this address has an account yet\./);
  await look(page, "enrollment-new-nobody", { widths: [320, 360, 1280], night: true });
  await page.getByRole("link", { name: "Invite by email instead" }).click();
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue("new@example.com");
  await expect(page.getByLabel("Course").locator("option:checked")).toHaveText("7 Days of Calm");
});

test("the search that does not answer says so, and the whole address does as well", async ({
  site,
  device,
  watch,
}) => {
  await named(site.services, "Ada Lovelace", "ada@example.com");
  const page = await device({ as: await coachOf(site.services) });
  await page.goto("/admin/enrollments/new?course=none");
  const box = page.getByRole("combobox", { name: field });
  await expect(box).toBeVisible();
  watch.expect(/^failed: GET \/admin\/students\/search/);
  await page.route("**/admin/students/search*", (route) => route.abort("connectionfailed"));
  await box.fill("Ada@Example.com ");
  await expect(page.getByRole("status")).toContainText("The search does not answer just now.");
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Enrollment created successfully")).toBeVisible();
});

test("without scripts: an address is typed, and all the rest is there", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/enrollments\/new/);
  const { services } = site;
  await named(services, "Ada Lovelace", "ada@example.com");
  const page = await device({ as: await coachOf(services), javaScriptEnabled: false });
  await page.goto("/admin/enrollments/new");
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Error")).toContainText("Please select both a course and a user");
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await page.getByRole("textbox", { name: field }).fill("ada@example.com");
  await look(page, "enrollment-new-plain", { axe: false });
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Enrollment created successfully")).toBeVisible();
  await page.getByRole("searchbox").fill("lovelace");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("link", { name: /^Open the enrollment/ }).click();
  await page.getByRole("button", { name: "Remove this enrollment" }).click();
  await page.getByRole("button", { name: "Remove the enrollment" }).click();
  await expect(toast(page, "Enrollment removed successfully")).toBeVisible();
});

test("saving that fails for no known reason says so and keeps the form", async ({
  site,
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/enrollments\/new/);
  const { services } = site;
  await named(services, "Ada Lovelace", "ada@example.com");
  const page = await device({ as: await coachOf(services) });
  await page.goto("/admin/enrollments/new");
  const box = page.getByRole("combobox", { name: field });
  await box.fill("ada@example.com");
  await people(page).filter({ hasText: /Ada/ }).click();
  await page.getByLabel("Course").selectOption("The Blue Dot Method");
  await services.db.write.schema.alterTable("enrollments").renameTo("enrollments_away").execute();
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Error")).toContainText("Failed to create enrollment");
  await expect(box).toHaveValue("ada@example.com");
  await services.db.write.schema.alterTable("enrollments_away").renameTo("enrollments").execute();
  await page.getByRole("button", { name: "Enroll" }).click();
  await expect(toast(page, "Enrollment created successfully")).toBeVisible();
});
