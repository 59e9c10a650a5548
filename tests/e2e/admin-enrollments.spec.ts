import type { Page } from "@playwright/test";
import type { Services } from "~/platform/http/services.ts";
import { newAddress } from "../support/accounts.ts";
import { createPerson } from "../support/people.ts";
import { expectVisibleFocus } from "./support/keyboard.ts";
import { createCoach } from "./support/lessons.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, test, toast } from "./support/test.ts";

test.use({ siteKind: "shared" });

const field = "Student";
const found = (page: Page) => page.getByRole("listbox", { name: "People" }).getByRole("option");

async function named(services: Services, name: string, email: string) {
  const person = await createPerson(services, { name });
  await services.db.write
    .updateTable("profiles")
    .set({ email })
    .where("id", "=", person.id)
    .execute();
  return { ...person, email };
}

test("the coach enrolls by mouse and by keyboard, and removes an enrollment", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 400: POST \/admin\/enrollments\/new/);
  const ada = await named(services, "Adelheid Zuse", "adelheid@quill.example");
  await named(services, "Adelmar Long-Surname-Without-End", "adelmar@a-very-long-domain.example");
  const coach = await createCoach(services);
  const page = await device({ as: coach });
  const box = page.getByRole("combobox", { name: field });
  const course = page.getByLabel("Course");
  const chosen = course.locator("option:checked");
  const openForm = async () => {
    await openHydrated(page, "/admin/enrollments/new");
    await expect(box).toBeVisible();
  };

  await test.step("a refused form has focus on what is missing, and keeps what was typed", async () => {
    await openForm();
    const enroll = page.getByRole("button", { name: "Enroll" });
    await enroll.click();
    await expect(toast(page, "Error")).toContainText("Please select both a course and a user");
    await expect(course).toBeFocused();
    await course.selectOption("7 Days of Calm");
    await enroll.click();
    await expect(box).toBeFocused();
    const unknown = newAddress();
    await box.fill(unknown);
    await expect(page.getByRole("status")).toHaveText("Nobody found: invite by email instead");
    await enroll.click();
    await expect(box).toHaveAccessibleDescription(/Nobody with this address has an account yet\./);
    await expect(box).toHaveValue(unknown);
    await look(page, "enrollment-new-nobody", { night: true });
    await page.getByRole("link", { name: "Invite by email instead" }).click();
    await expect(page.getByLabel("Email", { exact: true })).toHaveValue(unknown);
    await expect(chosen).toHaveText("7 Days of Calm");
  });

  await test.step("by mouse: search, choose, enroll", async () => {
    await openForm();
    await course.selectOption("The Blue Dot Method");
    await box.fill("adel");
    await expect(page.getByRole("status")).toHaveText("2 people found");
    await look(page, "enrollment-new-found", { night: true });
    await found(page).filter({ hasText: "Adelheid Zuse" }).click();
    await expect(box).toHaveValue(ada.email);
    await expect(page.getByRole("status")).toHaveText("Adelheid Zuse is chosen.");
    await page.getByRole("button", { name: "Enroll" }).click();
    await expect(toast(page, "Enrollment created successfully")).toContainText(
      "Adelheid Zuse can begin “The Blue Dot Method” now.",
    );
  });

  await test.step("the enrollment is opened, and removed after a question", async () => {
    await page.getByRole("link", { name: /^Open the enrollment of Adelheid Zuse/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Adelheid Zuse" })).toBeVisible();
    await page.getByRole("link", { name: "Open every lesson" }).click();
    const question = page.getByRole("dialog", { name: "Open every lesson?" });
    await expect(question.getByRole("link", { name: "Cancel" })).toBeFocused();
    await look(page, "enrollment-days", { night: true });
    await question.getByRole("button", { name: "Change the days" }).click();
    await expect(toast(page, "Lesson days changed")).toBeVisible();
    await expect(page.getByText("Every lesson is open, whatever its day.")).toBeVisible();
    await page.getByRole("button", { name: "Remove this enrollment" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove this enrollment?" });
    await expect(dialog).toContainText("Adelheid Zuse can no longer open “The Blue Dot Method”");
    await look(page, "enrollment-remove", { night: true });
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Remove this enrollment" }).click();
    await dialog.getByRole("button", { name: "Remove the enrollment" }).click();
    await expect(toast(page, "Enrollment removed successfully")).toBeVisible();
  });

  await test.step("by keyboard: letters, arrows and Enter", async () => {
    await openForm();
    await course.focus();
    await page.keyboard.type("The Blue");
    await expect(chosen).toHaveText("The Blue Dot Method");
    await page.keyboard.press("Tab");
    await expect(box).toBeFocused();
    await expectVisibleFocus(page);
    await page.keyboard.type("adel");
    await expect(found(page).first()).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("ArrowDown");
    const last = found(page).last();
    await expect(last).toHaveAttribute("aria-selected", "true");
    await expect(box).toHaveAttribute(
      "aria-activedescendant",
      (await last.getAttribute("id")) ?? "",
    );
    await page.keyboard.press("ArrowUp");
    await expect(last).toHaveAttribute("aria-selected", "false");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await expect(box).toHaveValue("adelmar@a-very-long-domain.example");
    await expect(found(page)).toHaveCount(0);
    await page.keyboard.press("Enter");
    await expect(toast(page, "Enrollment created successfully")).toBeVisible();
  });

  await test.step("a long name is cut off on a phone before the button beside it", async () => {
    await page.goto("/admin/enrollments?q=adelmar");
    await look(page, "enrollments-long-name", { widths: [320, 1280], night: true });
  });

  await test.step("Enter takes nobody who was found for other letters", async () => {
    await openForm();
    await course.selectOption("The Blue Dot Method");
    await box.fill("adelh");
    await expect(found(page).first()).toHaveAttribute("aria-selected", "true");
    await page.route("**/admin/students/search?q=zoe", () => undefined);
    await box.fill("zoe");
    await expect(found(page)).toHaveText(/Adelheid/);
    await box.press("ArrowDown");
    await box.press("Enter");
    await expect(box).toHaveAccessibleDescription(/Choose somebody from the list/);
    await expect(box).toHaveValue("zoe");
    await page.unrouteAll({ behavior: "ignoreErrors" });
  });

  await test.step("without an answer of the search, the whole address does", async () => {
    watch.expect(/^failed: GET \/admin\/students\/search/);
    await openForm();
    await page.route("**/admin/students/search*", (route) => route.abort("connectionfailed"));
    await box.fill("Adelheid@Quill.Example ");
    await expect(page.getByRole("status")).toContainText("The search does not answer just now.");
    await course.selectOption("The Blue Dot Method");
    await page.getByRole("button", { name: "Enroll" }).click();
    await expect(toast(page, "Enrollment created successfully")).toBeVisible();
  });
});
