import sharp from "sharp";
import { blueDot } from "../e2e/support/player.ts";
import { createStudent } from "../e2e/support/students.ts";
import { cookieOf } from "../support/people.ts";
import type { Page } from "./support/page.ts";
import { expect, phone, test } from "./support/test.ts";

/** How bright the middle of the portrait is as it is drawn: 0 to 255. */
async function brightness(tab: Page): Promise<number> {
  const box = await tab.run(() => {
    const [picture] = [
      ...document.querySelectorAll<HTMLImageElement>(".portrait-frame img"),
    ].filter(({ offsetWidth }) => offsetWidth > 0);
    picture?.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = picture?.getBoundingClientRect() ?? new DOMRect();
    return picture?.complete && picture.naturalWidth > 0
      ? { x: left, y: top, width, height }
      : null;
  });
  if (!box) return Number.NaN;
  const shot = sharp(await tab.driver.screenshot())
    .ensureAlpha()
    .raw();
  const { data: rgba, info } = await shot.toBuffer({ resolveWithObject: true });
  const seen: number[] = [];
  for (let at = 0.3; at < 0.7; at += 0.02)
    for (let down = 0.3; down < 0.7; down += 0.02) {
      const x = Math.round(box.x + box.width * at);
      const y = Math.round(box.y + box.height * down);
      seen.push(rgba[(y * info.width + x) * 4] ?? Number.NaN);
    }
  return seen.reduce((sum, value) => sum + value, 0) / seen.length;
}

test("what an engine does by itself: night in pictures, Tab after a menu, boxes, the cover", async ({
  site: { services },
  tab,
}) => {
  await tab.driver.resize(phone.width, phone.height);

  await test.step("the portrait follows the theme of the system, and the one that is chosen", async () => {
    await tab.open("/");
    await expect.poll(() => brightness(tab)).toBeLessThan(80);
    await tab.click("button", "Menu");
    await tab.click("button", "Theme: same as this device");
    await tab.press("Escape");
    await expect.poll(() => brightness(tab)).toBeGreaterThan(170);
  });

  await test.step("Tab goes from a menu's button into the menu that it opened", async () => {
    await tab.open("/about");
    await tab.click("button", "Menu");
    await tab.press("Tab");
    await tab.isFocused("link", "Home", "#site-nav");
  });

  await test.step("a journal box shows all that is written in it", async () => {
    const student = await createStudent(services);
    const [name = "", value = ""] = (await cookieOf(services, student.id)).split("=");
    await tab.driver.setCookie(name, value);
    await tab.openHydrated(blueDot);
    await tab.fill(/^1\. /, "Words that go on until the line has to be broken. ".repeat(12));
    const hidden = () => {
      const box = document.querySelector("textarea.journal");
      return box && box.clientHeight > 200 && box.scrollHeight - box.clientHeight <= 1;
    };
    await tab.becomes(hidden).toBe(true);
  });

  await test.step("the cover of a page whose user has signed out is one piece in its middle", async () => {
    const room = await tab.run(() => {
      const cover = document.querySelector<HTMLDialogElement>(".session-veil");
      cover?.showModal();
      const height = cover?.offsetHeight ?? Number.NaN;
      cover?.close();
      return height;
    });
    expect(room).toBeLessThan(phone.height / 2);
  });
});
