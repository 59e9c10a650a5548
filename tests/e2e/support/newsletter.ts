import { expect, type Locator, type Page } from "@playwright/test";
import { linkInMail } from "./mail.ts";
import type { RunningSite } from "./site.ts";

export const thanks =
  "Check your email shortly for a confirmation email (required to be subscribed). I'm glad you're here.";
export const trouble = "Something went wrong. Please try again.";

export const dialog = (page: Page) =>
  page.getByRole("dialog", { name: "Join my weekly newsletter" });

export const opener = (page: Page) =>
  page.getByRole("banner").getByRole("button", { name: "Subscribe" });

export const footer = (page: Page) => page.getByRole("contentinfo");

/** The form in the dialog, the footer or the page: whatever stands in there. */
export const fieldsIn = (place: Locator) => ({
  firstName: place.getByLabel("First name"),
  email: place.getByLabel("Email address"),
  button: place.getByRole("button", { name: /^Subscrib/ }),
});

let people = 0;

/** An address that no one else uses. */
export const newAddress = () => `reader-${Date.now()}-${people++}@example.com`;

export async function fill(place: Locator, { name = "Ines", email = newAddress() } = {}) {
  const { firstName, email: address } = fieldsIn(place);
  await firstName.fill(name);
  await address.fill(email);
  return email;
}

/** The form is on its way: nothing in it can be changed or pressed. */
export async function expectSubmitting(place: Locator) {
  const { firstName, email, button } = fieldsIn(place);
  await expect(button).toHaveAccessibleName("Subscribing...");
  await expect(button).toHaveAttribute("aria-busy", "true");
  for (const part of [firstName, email, button]) await expect(part).toBeDisabled();
}

/** The form can be filled in, with these words in it. */
export async function expectIdle(place: Locator, name = "", address = "") {
  const { firstName, email, button } = fieldsIn(place);
  await expect(button).toHaveAccessibleName("Subscribe");
  await expect(button).not.toHaveAttribute("aria-busy");
  for (const part of [firstName, email, button]) await expect(part).toBeEnabled();
  await expect(firstName).toHaveValue(name);
  await expect(email).toHaveValue(address);
}

/** An email has gone to this address that asks for a confirmation. */
export const expectEmail = ({ dataDir }: RunningSite, email: string) =>
  linkInMail(dataDir, email, "/newsletter/confirm");

/** Holds what is sent to /newsletter until `release`; counts it. */
export async function holdSignups(page: Page) {
  const gate = Promise.withResolvers<void>();
  const held = { count: 0, release: gate.resolve };
  await page.route("**/newsletter", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    held.count += 1;
    await gate.promise;
    await route.continue();
  });
  return held;
}

/** Holds back the scripts with this address until `release`. */
export async function holdScripts(page: Page, address: RegExp) {
  const gate = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await gate.promise;
    await route.continue();
  });
  return { release: gate.resolve };
}
