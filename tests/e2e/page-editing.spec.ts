import type { Page } from "@playwright/test";
import { photograph } from "../support/pictures.ts";
import { createCoach } from "./support/lessons.ts";
import { openHydrated } from "./support/player.ts";
import { look } from "./support/screen.ts";
import { expect, phone, test } from "./support/test.ts";

const night = { night: true };
const written = "Where I come from, and why I stayed";
const pencil = (page: Page) => page.getByRole("link", { name: "Edit: Heading", exact: true });
const editor = (page: Page) => page.getByRole("form", { name: "Heading" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const box = (page: Page) => editor(page).getByRole("textbox");

async function expectSaved(page: Page): Promise<void> {
  await expect(editor(page).getByText("Saved as a draft")).toBeVisible();
}

test("a heading is rewritten on the page itself, on a phone, and published", async ({
  site: { services },
  device,
  watch,
}) => {
  watch.expect(/^answer 409: PUT \/admin\/pages\/about\/draft$/);
  const nora = await createCoach(services);
  const page = await device({ as: nora, viewport: phone });
  const visitor = await device();

  await test.step("the page shows what is typed, and keeps it as a draft", async () => {
    await openHydrated(page, "/about?edit");
    await pencil(page).click();
    await expect(box(page)).toBeFocused();
    await box(page).fill("");
    await expect(box(page)).toHaveAccessibleDescription(/./);
    await look(page, "page-editing-problem", night);
    await box(page).fill(written);
    await expect(heading(page)).toContainText(written);
    await expectSaved(page);
    await look(page, "page-editing", night);
  });

  await test.step("reopened, it starts from the draft", async () => {
    await editor(page).getByRole("button", { name: "Close" }).click();
    await expect(editor(page)).toHaveCount(0);
    await pencil(page).click();
    await expect(box(page)).toHaveValue(written);
    await box(page).fill(`${written}.`);
    await expectSaved(page);
  });

  await test.step("changed in two places, neither is overwritten", async () => {
    const desk = await device({ as: nora });
    await openHydrated(desk, "/about?edit");
    await pencil(desk).click();
    await expect(box(desk)).toHaveValue(`${written}.`);
    await box(page).fill("From the phone");
    await expect(heading(page)).toContainText("From the phone");
    await expectSaved(page);
    await box(desk).fill(written);
    await expect(editor(desk).getByText("From the phone")).toBeVisible();
    await look(desk, "page-editing-elsewhere", night);
    await editor(desk).getByRole("button", { name: "Keep mine" }).click();
    await expectSaved(desk);
  });

  await test.step("visitors read it once it is published", async () => {
    await visitor.goto("/about");
    await expect(heading(visitor)).toHaveText("My brother died in November");
    await page.getByRole("link", { name: "Publish..." }).click();
    await expect(page.locator("ins")).not.toHaveCount(0);
    await look(page, "page-publish", night);
    await page.getByRole("button", { name: "Publish now" }).click();
    await expect(page).toHaveURL(/\/about$/);
    await visitor.reload();
    await expect(heading(visitor)).toHaveText(written);
  });
});

test("a picture is put into a text, and a film gets another one", async ({
  site: { services },
  device,
}) => {
  const nora = await createCoach(services);
  const page = await device({ as: nora, viewport: phone });
  const choose = async (name: string, hue: number) => ({
    ...{ name, mimeType: "image/jpeg", buffer: await photograph(hue) },
  });

  await test.step("in a text, with what it shows", async () => {
    await openHydrated(page, "/about?edit");
    await page.getByRole("link", { name: "Edit: The Blue Dot", exact: true }).click();
    const form = page.getByRole("form", { name: "The Blue Dot" });
    const chooser = page.waitForEvent("filechooser");
    await form.getByRole("button", { name: "Picture", exact: true }).click();
    await (await chooser).setFiles(await choose("hills.jpg", 200));
    const described = form.getByRole("textbox", { name: "What does picture 1 show?" });
    await expect(described).toBeVisible();
    await expect(form.getByText("A picture has no description.")).toBeVisible();
    await described.fill("Hills by the water");
    const shown = page.getByRole("img", { name: "Hills by the water" });
    await expect(shown).toBeVisible();
    await expect(form.getByText("Saved as a draft")).toBeVisible();
    await look(page, "page-editing-picture", night);
    await page.getByRole("link", { name: "Publish..." }).click();
    await page.getByRole("button", { name: "Publish now" }).click();
    await expect(page).toHaveURL(/\/about$/);
    const visitor = await device({ viewport: phone });
    await visitor.goto("/about");
    const picture = visitor.getByRole("img", { name: "Hills by the water" });
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => img.complete && img.currentSrc))
      .toMatch(/-480\.webp$/);
  });

  await test.step("of a film", async () => {
    await openHydrated(page, "/?edit");
    await page.getByRole("link", { name: "Edit: film 1", exact: true }).click();
    const form = page.getByRole("form", { name: "film 1" });
    const arriving = Promise.withResolvers<void>();
    await page.route("/admin/pictures", async (route) => {
      await arriving.promise;
      await route.continue();
    });
    const chosen = await choose("kettle.jpg", 20);
    await form.getByLabel("Picture", { exact: true }).setInputFiles(chosen);
    // What is typed while it is on its way stays, and the box stays where it is.
    await expect(form.getByRole("button", { name: "Move down" })).toBeDisabled();
    await form.getByLabel("Title").fill("The kettle");
    arriving.resolve();
    const film = page.locator(".media-link-picture").first();
    await expect(film).toHaveAttribute("src", /^\/pictures\/[\da-f]{32}-960\.webp$/);
    await expect(form.getByText("Saved as a draft")).toBeVisible();
    await expect(form.getByLabel("Title")).toHaveValue("The kettle");
    await expect(form.getByRole("button", { name: "Move down" })).toBeEnabled();
    await look(page, "page-editing-film", night);
  });
});
