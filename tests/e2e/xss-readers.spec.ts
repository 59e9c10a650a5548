import type { Page } from "@playwright/test";
import { linkInMail } from "./support/mail.ts";
import { playerOf } from "./support/playback.ts";
import { box, hydrated, openHydrated } from "./support/player.ts";
import { expect, test } from "./support/test.ts";
import { watchForAttacks } from "./support/xss-detector.ts";
import { expectHarmless, visit } from "./support/xss-plants.ts";
import { createAttackedWorld } from "./support/xss-world.ts";

/** What the browser makes of the captions that are on the screen now. */
function cuesOf(page: Page) {
  return page.locator("video").evaluate((element) => {
    const [track] = (element as HTMLVideoElement).textTracks;
    const active = [...(track?.activeCues ?? [])] as VTTCue[];
    const made = active.map((cue) => cue.getCueAsHTML());
    const elements = made.flatMap((cue) => [...cue.querySelectorAll("*")]);
    return {
      texts: made.map(({ textContent }) => (textContent ?? "").replaceAll(/\s+/g, " ").trim()),
      elements: [...new Set(elements.map(({ localName }) => localName))],
    };
  });
}

test("a visitor: nothing of what people have written runs", async ({ site, device, watch }) => {
  const world = await createAttackedWorld(site);
  const { plants, course, courses } = world;

  await test.step("for a visitor", async () => {
    watch.expect(/^answer 404: GET \/none/, /^answer 400: POST \/(auth|newsletter)/);
    const page = await device();
    const detector = await watchForAttacks(page.context(), site.url);
    const seen = { page, plants, detector };
    await visit(seen, "/courses", ["course title", "course description"]);
    for (const { slug } of courses.filter((_, at) => at % 16 === 0)) {
      await visit(seen, `/courses/${slug}`, ["course title", "course description"]);
      const title = await page.title();
      expect(plants.of("course title").filter((one) => title.startsWith(one))).toHaveLength(1);
    }
    await visit(seen, `/courses/${course.slug}`, ["module title", "lesson title"]);
    await visit(seen, `/none/${encodeURIComponent(plants.one("address"))}`, []);
    for (const target of ["javascript:xss(0)", "data:text/html,a", "//elsewhere.invalid", '"><b>'])
      await visit(seen, `/auth?redirect=${encodeURIComponent(target)}`, []);
    await hydrated(page);
    const main = page.getByRole("main");
    await main.getByRole("textbox", { name: "Email" }).fill(plants.one("typed address"));
    await main.getByLabel("Password", { exact: true }).fill(plants.one("typed password", 90));
    await main.getByRole("button", { name: "Sign In" }).click();
    await expect(page.getByText("Validation Error")).toBeVisible();
    await expectHarmless(seen, ["typed address"]);
    const link = await linkInMail(site.dataDir, world.invited.email, "/invitation");
    await visit(seen, link, ["course title", "invited name"]);
  });

  await test.step("for a visitor without scripts, whose forms come back with her words", async () => {
    const page = await device({ javaScriptEnabled: false });
    const answer = await page.request.post("/newsletter", {
      form: { firstName: plants.one("typed name", 150), email: plants.one("typed address") },
      headers: { origin: site.url },
    });
    expect(answer.status()).toBe(400);
    expect(await answer.text()).not.toMatch(/<script[^>]*>\s*xss|<(svg|img)[^>]*on\w+=/i);
  });
});

test("a student, and the coach on a student's page: nothing of what people have written runs", async ({
  site,
  device,
}) => {
  const world = await createAttackedWorld(site);
  const { plants, course, lessons, media, reader } = world;
  const learn = `/courses/${course.slug}/learn`;
  const page = await device({ as: reader });
  const detector = await watchForAttacks(page.context(), site.url);
  const seen = { page, plants, detector };

  await test.step("for a student: her courses, every lesson", async () => {
    await visit(seen, "/my-courses", ["course title", "course description"]);
    for (const [at, { slug }] of lessons.entries()) {
      await page.goto(`${learn}?lesson=${slug}`);
      const [title = "", own = ""] = [plants.of("lesson title")[at], plants.of("lesson text")[at]];
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
      await expect(page.getByRole("main"), own).toContainText(own);
      await expectHarmless(seen);
    }
    await expectHarmless(seen, ["lesson title", "module title"]);
    await expectHarmless(seen, ["question", "placeholder", "course title"]);
    expect(plants.of("course title").map((one) => `${one} - Learn`)).toContainEqual(
      (await page.title()).split(" | ")[0],
    );
  });

  await test.step("what she has written", async () => {
    const [first, , third] = lessons;
    await visit(seen, `${learn}?lesson=${first.slug}`, ["journal", "question of journal"]);
    await expectHarmless(seen, ["kept draft", "question of kept draft"]);
    await openHydrated(page, `${learn}?lesson=${third.slug}`);
    await expect(box(page, 1)).not.toHaveValue("");
    await expectHarmless(seen, ["draft"]);
  });

  await test.step("captions and transcripts", async () => {
    await openHydrated(page, `${learn}?lesson=${media.heard.slug}`);
    const video = playerOf(page, "video");
    await video.getByRole("button", { name: "Captions" }).click();
    await video.getByRole("button", { name: "Play" }).click();
    await expect.poll(async () => (await cuesOf(page)).texts.length).toBeGreaterThan(50);
    const { texts, elements } = await cuesOf(page);
    const shown = plants.of("caption").filter((one) => texts.includes(one));
    expect(shown.length).toBeGreaterThan(50);
    // The tags of WebVTT (W3C, WebVTT 1, 6.4), and none of a page.
    expect(elements.filter((name) => !/^(span|b|i|u|ruby|rt)$/.test(name))).toEqual([]);
    for (const summary of await page.locator(".transcript summary").all()) await summary.click();
    await expectHarmless(seen, ["video transcript", "audio transcript"]);
  });

  await test.step("what is no page, opened as one", async () => {
    const asked = await page.request.get(`${learn}/media?lesson=${media.heard.slug}`);
    const { video, audio } = (await asked.json()) as Record<string, { url: string }>;
    for (const address of [
      ...[video?.url ?? "", audio?.url ?? ""],
      `${learn}/captions?lesson=${media.heard.slug}`,
      `${learn}/media?lesson=${media.heard.slug}`,
      `${learn}.data?lesson=${lessons[0].slug}`,
    ]) {
      const shown = await page.goto(address).then(
        (answer) => answer?.status(),
        // What the browser does not show, it saves as a file.
        (error) => /Download is starting|ERR_ABORTED/.test(String(error)) && "saved",
      );
      expect([200, 206, "saved"], address).toContain(shown);
    }
    const ran = detector.noticed.filter((one) => !one.startsWith("download: "));
    expect(ran.map(plants.explain)).toEqual([]);
  });

  await test.step("as the coach sees a student's page", async () => {
    const desk = await device({ as: world.coach });
    const watched = await watchForAttacks(desk.context(), site.url);
    for (const { slug } of lessons.filter((_, at) => at % 16 === 1))
      await visit(
        { page: desk, plants, detector: watched },
        `${learn}?view=student&lesson=${slug}`,
        ["lesson title", "lesson text", "question", "placeholder"],
      );
  });
});
