import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { createPerson, type Person } from "../support/people.ts";
import type { Gate } from "./support/gate.ts";
import {
  aLesson,
  chooser,
  haltedAt,
  longFilm,
  mediaPart,
  openLesson,
  shortFilm,
  storedVideo,
  test,
} from "./support/media.ts";
import { look } from "./support/screen.ts";
import type { RunningSite } from "./support/site.ts";
import { expect } from "./support/test.ts";

type Given = {
  site: RunningSite;
  gate: Gate;
  device: (options: { as: Person }) => Promise<Page>;
};

/** A coach who is uploading a film of 24 MB, of which some have arrived; nothing more comes through. */
async function halfWay({ site, gate, device }: Given) {
  const admin = await createPerson(site.services, { role: "admin", name: "Nora Hale" });
  const lesson = await aLesson(site.services);
  const page = await device({ as: admin });
  const address = gate.url + lesson.path;
  await openLesson(page, address);
  gate.hold(9_000_000);
  const file = longFilm();
  await chooser(page, "Video").setInputFiles(file);
  await haltedAt(mediaPart(page, "Video"), gate);
  return { lesson, page, address, file, video: mediaPart(page, "Video") };
}

async function expectWhole(page: Page, lessonId: string, file: string) {
  await expect(mediaPart(page, "Video").getByText("0:01 · 24 MB")).toBeVisible();
  expect((await storedVideo(page, lessonId)).equals(readFileSync(file))).toBe(true);
}

test("a line that is cut is waited for, and the upload goes on by itself", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: (PATCH|HEAD) .* net::ERR_/);
  // It may be under way when the line goes.
  watch.allow(/^failed: POST .*\/admin\/lessons\/preview net::ERR_/);
  const { page, lesson, file, video } = await halfWay({ site, gate, device });
  gate.cut();
  await expect(video.getByText("The connection is lost. Trying again by itself.")).toBeVisible();
  await look(page, "media-lost", { night: true });
  gate.open();
  gate.mend();
  await expectWhole(page, lesson.id, file);
});

test("a computer that goes offline goes on when it is back", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: PATCH .* net::ERR_/);
  // It may be under way when the line goes.
  watch.allow(/^failed: POST .*\/admin\/lessons\/preview net::ERR_/);
  const { page, lesson, file, video } = await halfWay({ site, gate, device });
  await page.context().setOffline(true);
  await expect(video.getByText("The connection is lost. Trying again by itself.")).toBeVisible();
  gate.open();
  await page.context().setOffline(false);
  await expectWhole(page, lesson.id, file);
});

test("a site that is killed and comes back has what had arrived", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: (PATCH|HEAD) .* net::ERR_/);
  // It may be under way when the line goes.
  watch.allow(/^failed: POST .*\/admin\/lessons\/preview net::ERR_/);
  const { page, lesson, file, video } = await halfWay({ site, gate, device });
  const killed = await site.crash();
  await expect(video.getByText("The connection is lost. Trying again by itself.")).toBeVisible();
  await killed.again();
  gate.open();
  await expectWhole(page, lesson.id, file);
});

test("a tab that was closed: the same file goes on where it stopped, another one is asked about", async ({
  site,
  gate,
  device,
}) => {
  const { page, lesson, address, file } = await halfWay({ site, gate, device });
  const again = await page.context().newPage();
  await page.close();
  await openLesson(again, address);
  const video = mediaPart(again, "Video");
  await expect(video.getByText(/^grief\.mp4 stopped at [3-6]\d %$/)).toBeVisible();
  await look(again, "media-stopped", { night: true });

  await chooser(again, "Video").setInputFiles(shortFilm("other.mp4"));
  const question = again.getByRole("dialog", { name: "Upload other.mp4 instead?" });
  await expect(question).toContainText("This is another file than grief.mp4");
  await look(again, "media-instead");
  await question.getByRole("button", { name: "Choose again" }).click();

  const starts: string[] = [];
  again.on("request", (request) => {
    if (request.method() === "PATCH") starts.push(request.headers()["upload-offset"] ?? "");
  });
  gate.open();
  await chooser(again, "Video").setInputFiles(file);
  await expectWhole(again, lesson.id, file);
  expect(Number(starts[0])).toBeGreaterThan(8_000_000);
});

test("an upload is cancelled, and nothing of it stays", async ({ site, gate, device, watch }) => {
  watch.expect(/^failed: PATCH .* net::ERR_ABORTED$/);
  const { page, video } = await halfWay({ site, gate, device });
  await video.getByRole("button", { name: "Cancel" }).click();
  const question = page.getByRole("dialog", { name: "Cancel the upload of grief.mp4?" });
  await question.getByRole("button", { name: "Keep uploading" }).click();
  await expect(question).toBeHidden();
  await expect(video.getByText("grief.mp4", { exact: true })).toBeVisible();
  await video.getByRole("button", { name: "Cancel" }).click();
  await look(page, "media-cancel");
  await question.getByRole("button", { name: "Cancel the upload" }).click();
  await expect(chooser(page, "Video")).toBeVisible();
  await expect
    .poll(() => site.services.db.read.selectFrom("uploads").select("id").execute())
    .toEqual([]);
  await page.reload();
  await expect(chooser(page, "Video")).toBeVisible();
  await expect(video.getByText("stopped at")).toBeHidden();
});

test("a session that ended meanwhile is told; signed in again, it goes on", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: PATCH .* net::ERR_ABORTED$/, /^answer 401: /);
  const { page, lesson, file, video } = await halfWay({ site, gate, device });
  const cookies = await page.context().cookies(gate.url);
  await page.context().clearCookies();
  await video.getByRole("button", { name: "Pause" }).click();
  gate.open();
  await video.getByRole("button", { name: "Resume" }).click();
  await expect(video.getByText(/^You are signed out\./)).toBeVisible();
  await look(page, "media-signed-out");
  await page.context().addCookies(cookies);
  await video.getByRole("button", { name: "Resume" }).click();
  await expectWhole(page, lesson.id, file);
});
