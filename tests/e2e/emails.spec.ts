import path from "node:path";
import { expect, test } from "@playwright/test";
import { type Program, run } from "../support/process.ts";
import { expectNoSidewaysScroll, look, screensFolder } from "./support/screen.ts";

let preview: Program;
let address: string;

test.beforeAll(async () => {
  preview = run("mail-preview.ts", ["0"], {});
  [, address = ""] = await preview.line(/The emails are at (\S+)/);
});
test.afterAll(() => preview.kill("SIGTERM"));

/** Between them these emails have every element of app/ui/email. */
const samples = [
  "Receipt. After a payment.",
  "A refund. After a refund in full.",
  "After an enrollment in a course that sends its lessons.",
  "In the morning, at most once a day, when something has opened.",
];

test("every email is readable on a phone, by day and at night, and loads nothing", async ({
  page,
}) => {
  await page.goto(address);
  const emails = await page.getByRole("listitem").allTextContents();
  expect(emails.length).toBeGreaterThanOrEqual(12);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const show = async (at: number, face: string) => {
    asked.length = 0;
    await page.goto(`${address}/${at}/${face}`);
    expect(asked).toEqual([`/${at}/${face}`]);
    return `email-${String(at).padStart(2, "0")}-${face}`;
  };

  await test.step("each email fits a small phone, and has light text on dark at night", async () => {
    await page.setViewportSize({ width: 320, height: 800 });
    for (const at of emails.keys()) {
      const name = await show(at, "light");
      await page.screenshot({ path: path.join(screensFolder, `${name}.png`), fullPage: true });
      await expectNoSidewaysScroll(page, name);
      await show(at, "dark");
      const { grounds, inks } = await page.evaluate(() => {
        const all = (selector: string) => [...document.querySelectorAll(selector)];
        // A paragraph around a button has a colour as well, which no one sees.
        const hasText = ({ childNodes }: Element) =>
          [...childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
          );
        const written = all("p, li, h1, h2, h3, a:not(.act)").filter(hasText);
        return {
          grounds: all("body, td, table").map((part) => getComputedStyle(part).backgroundColor),
          inks: written.map((part) => getComputedStyle(part).color),
        };
      });
      const night = ["rgb(18, 24, 31)", "rgba(0, 0, 0, 0)"];
      expect(new Set(grounds), emails[at]).toEqual(new Set(night));
      expect(inks.length, emails[at]).toBeGreaterThan(1);
      const nightInks = ["rgb(236, 231, 221)", "rgb(169, 180, 191)", "rgb(127, 178, 234)"];
      expect(nightInks, emails[at]).toEqual(expect.arrayContaining([...new Set(inks)]));
    }
  });

  for (const sample of samples)
    await test.step(`contrast and names: ${sample}`, async () => {
      const at = emails.findIndex((email) => email.includes(sample));
      expect(at).toBeGreaterThanOrEqual(0);
      await look(page, await show(at, "light"), { widths: [360, 1280], isPage: false });
      await look(page, await show(at, "dark"), { widths: [360], isPage: false });
      await look(page, await show(at, "inverted"), { widths: [360], axe: false });
    });

  await test.step("the preview page shows an email's faces, text and head", async () => {
    await page.goto(address);
    await look(page, "emails-preview-list", { widths: [360], isPage: false });
    const finished = page.getByRole("link", { name: /^You finished/ });
    await finished.first().click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^You finished/);
    await expect(page.locator("iframe")).toHaveCount(6);
    await expect(page.locator("pre").first()).toContainText("Next comes");
    await expect(page.locator("pre").last()).toContainText("List-Unsubscribe: <https://");
    // Each frame is as high as its email.
    for (const frame of await page.locator("iframe").all())
      await expect
        .poll(() =>
          frame.evaluate((element: HTMLIFrameElement) => {
            const root = element.contentDocument?.documentElement;
            return root ? root.scrollHeight - root.clientHeight : -1;
          }),
        )
        .toBe(0);
    expect((await page.goto(`${address}/999`))?.status()).toBe(404);
  });
});
