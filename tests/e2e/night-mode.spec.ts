import { themeColor } from "~/ui/theme.ts";
import { seeAllPictures } from "./support/steady-page.ts";
import { expect, test } from "./support/test.ts";

test.use({ siteKind: "shared" });

const noBox = { x: 0, y: 0, width: 0, height: 0 };
const night = "rgb(18, 24, 31)";
const day = "rgb(251, 248, 243)";

test("night mode: drawings, bars, other tabs, and before the first script", async ({
  device,
  watch,
}) => {
  const page = await device();
  const paper = page.locator("html");
  const button = (name: string) => page.getByRole("button", { name: `Theme: ${name}` });
  /** The colour that the browser takes for its own bars. */
  const bars = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
        .filter(({ media }) => matchMedia(media).matches)
        .map(({ content }) => content),
    );
  /** What lasts in this browser, and what waits to be sent. */
  const saved = () =>
    page.evaluate(() => [/theme=\w+/.exec(document.cookie)?.[0], localStorage.getItem("theme")]);
  /** The middle of each drawing: round the edges the page shows. */
  async function drawings() {
    const shots: Buffer[] = [];
    for (const picture of await page.getByRole("main").locator("img:visible").all()) {
      await picture.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await picture.boundingBox()) ?? noBox;
      const clip = { x: x + width / 4, y: y + height / 4, width: width / 2, height: height / 2 };
      shots.push(await page.screenshot({ clip }));
    }
    await page.evaluate(() => scrollTo(0, 0));
    return shots;
  }

  await test.step("chosen by hand, it holds for the page, its drawings and the bars", async () => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/^\/(pictures|featured)\//.test(new URL(request.url()).pathname))
        asked.push(request.url());
    });
    await page.goto("/");
    await seeAllPictures(page);
    await expect(paper).toHaveCSS("background-color", day);
    const atDay = await drawings();
    expect(atDay).toHaveLength(4);
    await button("same as this device").click();
    await button("light").click();
    await expect(button("night")).toBeVisible();
    await expect(paper).toHaveCSS("background-color", night);
    expect(await bars()).toEqual([themeColor.dark]);
    for (const [at, shot] of (await drawings()).entries())
      expect(shot.equals(atDay[at] ?? shot)).toBe(false);
    expect(new Set(asked.map((address) => address.split("#")[0])).size).toBe(asked.length);
  });

  await test.step("another tab has it, and a page before its first script", async () => {
    const gate = Promise.withResolvers<void>();
    await page.route(/\.js(\?|$)/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto("/auth", { waitUntil: "commit" });
    await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
    await expect(paper).toHaveCSS("background-color", night);
    gate.resolve();
    await page.waitForLoadState();
    await expect(button("night")).toBeVisible();
    expect(await bars()).toEqual([themeColor.dark]);

    const other = await page.context().newPage();
    await other.goto("/courses");
    await expect(other.locator("html")).toHaveCSS("background-color", night);
    await other.getByRole("button", { name: "Theme: night" }).click();
    await expect(other.locator("html")).toHaveCSS("background-color", day);
    await expect(paper).toHaveCSS("background-color", day);
  });

  await test.step("it outlasts what scripts have stored: the server has set its cookie", async () => {
    await button("same as this device").click();
    await button("light").click();
    await expect.poll(saved).toEqual(["theme=dark", null]);
    await page.reload();
    await expect(paper).toHaveCSS("background-color", night);
    await button("night").click();
    await expect.poll(saved).toEqual([undefined, null]);
  });

  await test.step("without a network it holds at once, and is sent with the next page", async () => {
    watch.expect(/^failed: POST \/api\/preferences net::ERR_INTERNET_DISCONNECTED$/);
    await page.context().setOffline(true);
    await button("same as this device").click();
    await button("light").click();
    await expect(paper).toHaveCSS("background-color", night);
    expect(await saved()).toEqual([undefined, "dark"]);
    await page.context().setOffline(false);
    await page.reload({ waitUntil: "commit" });
    await expect(paper).toHaveCSS("background-color", night);
    await expect.poll(saved).toEqual(["theme=dark", null]);
    await button("night").click();
  });

  await test.step("without a choice it is that of the system; by hand the other", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(paper).toHaveCSS("background-color", night);
    expect(await bars()).toEqual([themeColor.dark]);
    await button("same as this device").click();
    await expect(paper).toHaveCSS("background-color", day);
    expect(await bars()).toEqual([themeColor.light]);
  });
});
