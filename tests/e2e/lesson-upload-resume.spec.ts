import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { startNginx } from "../bench/nginx.ts";
import { folderOfTest } from "./support/folders.ts";
import { createCoach } from "./support/lessons.ts";
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
import { expect } from "./support/test.ts";

test("an upload goes on in smaller pieces where nginx takes 1 MB, and says why where it takes nothing", async ({
  site,
  device,
  watch,
}) => {
  const { hostname, port } = new URL(site.url);
  const behindNginx = (limit: string) =>
    startNginx(
      folderOfTest(),
      `${limit} location / { proxy_pass http://127.0.0.1:${port}; proxy_set_header Host $http_host; }`,
    );
  const [usual, tight] = [await behindNginx(""), await behindNginx("client_max_body_size 1k;")];
  test.skip(!usual || !tight, "nginx is not installed: uploads behind it are not tried");
  if (!usual || !tight) return;
  watch.expect(/^another host: /, /^answer 413: PATCH /);
  const coach = await createCoach(site.services);
  const lesson = await aLesson(site.services);
  const page = await device({ as: coach });
  const video = mediaPart(page, "Video");
  const open = (url: string) =>
    openLesson(page, `http://${hostname}:${new URL(url).port}${lesson.path}`);

  await open(tight.url);
  await chooser(page, "Video").setInputFiles(longFilm());
  await expect(video.getByText("takes only small pieces")).toBeVisible();
  await look(page, "media-small-pieces", { widths: [360, 1280], night: true });

  await open(usual.url);
  await chooser(page, "Video").setInputFiles(longFilm());
  await expect(video.getByText("0:01 · 24 MB")).toBeVisible();
  expect((await storedVideo(page, lesson.id)).length).toBe(24_000_000);
  await Promise.all([usual.stop(), tight.stop()]);
});

test("an upload survives a cut connection, a killed site, a closed tab and a sign-out", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: (PATCH|HEAD) .* net::ERR_/, /^answer 401: /);
  watch.expect(/^answer 404: (HEAD|PATCH) /, /^failed: GET .*\/media net::ERR_FAILED/);
  // It may be under way when the connection goes.
  watch.allow(/^failed: POST .*\/admin\/lessons\/preview net::ERR_/);
  const coach = await createCoach(site.services);
  const lesson = await aLesson(site.services);
  let page = await device({ as: coach });
  let video = mediaPart(page, "Video");
  const file = longFilm();
  const changedAt = new Date("2026-01-02");
  utimesSync(file, changedAt, changedAt);
  const waiting = "The connection is lost. Trying again by itself.";
  await openLesson(page, gate.url + lesson.path);
  gate.hold(5_000_000);
  await chooser(page, "Video").setInputFiles(file);
  await haltedAt(video, gate);

  await test.step("it waits for a cut connection", async () => {
    gate.cut();
    await expect(video.getByText(waiting)).toBeVisible();
    await look(page, "media-lost", { widths: [360] });
    gate.hold(3_000_000);
    gate.mend();
    await haltedAt(video, gate);
  });

  await test.step("it waits while the computer is offline", async () => {
    await page.context().setOffline(true);
    await expect(video.getByText(waiting)).toBeVisible();
    gate.hold(3_000_000);
    await page.context().setOffline(false);
    await haltedAt(video, gate);
  });

  await test.step("it waits for a site that was killed", async () => {
    const killed = await site.crash();
    await expect(video.getByText(waiting)).toBeVisible();
    gate.hold(3_000_000);
    await killed.again();
    await haltedAt(video, gate);
  });

  await test.step("after its tab was closed, another file is asked about, and the same resumes", async () => {
    const closed = page;
    page = await page.context().newPage();
    video = mediaPart(page, "Video");
    await closed.close();
    await openLesson(page, gate.url + lesson.path);
    await expect(video.getByText(/^grief\.mp4 stopped at [3-6]\d %$/)).toBeVisible();
    await look(page, "media-stopped", { widths: [360] });

    const question = page.getByRole("dialog");
    utimesSync(file, changedAt, new Date("2026-01-03"));
    for (const other of [shortFilm("other.mp4"), file]) {
      await chooser(page, "Video").setInputFiles(other);
      await expect(question).toContainText("This is another file than grief.mp4");
      await question.getByRole("button", { name: "Cancel" }).click();
    }
    utimesSync(file, changedAt, changedAt);

    const resumed = page.waitForRequest((request) => request.method() === "PATCH");
    gate.hold(3_000_000);
    await chooser(page, "Video").setInputFiles(file);
    const from = (await resumed).headers()["upload-offset"];
    expect(Number(from)).toBeGreaterThan(8_000_000);
    await haltedAt(video, gate);
  });

  await test.step("it starts again by itself when it is gone, once the site says so", async () => {
    gate.cut();
    await expect(video.getByText(waiting)).toBeVisible();
    const { write } = site.services.db;
    await write.deleteFrom("uploads").where("lessonId", "=", lesson.id).execute();
    const panel = "**/admin/lessons/*/media";
    const asked = page.waitForRequest(panel);
    await page.route(panel, (route) => route.abort());
    gate.mend();
    await asked;
    await expect(video.getByText(waiting)).toBeVisible();
    await page.unroute(panel);
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    gate.hold(9_000_000);
    expect((await sent).headers()["upload-offset"]).toBe("0");
    await haltedAt(video, gate);
  });

  await test.step("it waits for a sign-in, and the bytes are those of the file", async () => {
    const cookies = await page.context().cookies(gate.url);
    await page.context().clearCookies();
    await video.getByRole("button", { name: "Pause" }).click();
    gate.open();
    await video.getByRole("button", { name: "Resume" }).click();
    await expect(video.getByText(/^You are signed out\./)).toBeVisible();
    await page.context().addCookies(cookies);
    await video.getByRole("button", { name: "Resume" }).click();
    await expect(video.getByText("0:01 · 24 MB")).toBeVisible();
    expect((await storedVideo(page, lesson.id)).equals(readFileSync(file))).toBe(true);
  });
});

test("an upload ends when it is cancelled, or its file is changed", async ({
  site,
  gate,
  device,
  watch,
}) => {
  watch.expect(/^failed: PATCH .* net::ERR_/, /^answer 423: DELETE /);
  const coach = await createCoach(site.services);
  const lesson = await aLesson(site.services);
  const page = await device({ as: coach });
  const video = mediaPart(page, "Video");
  const file = longFilm();
  await openLesson(page, gate.url + lesson.path);

  await test.step("a file that changes on the computer is not sent on", async () => {
    gate.hold(9_000_000);
    await chooser(page, "Video").setInputFiles(file);
    await haltedAt(video, gate);
    writeFileSync(file, "changed");
    gate.open();
    await expect(video.getByText(/^This file was changed or moved on this computer/)).toBeVisible();
    // The site may still be busy with the last piece.
    await page.route("**/uploads/*", (route) => route.fulfill({ status: 423 }), { times: 1 });
    const deleted = page.waitForResponse((answer) => answer.status() === 204);
    await video.getByRole("button", { name: "Dismiss" }).click();
    await deleted;
    await expect(video.getByText("was not taken")).toBeHidden();
    await expect(video.getByText("stopped at")).toBeHidden();
  });

  await test.step("nothing stays of an upload that was stopped", async () => {
    gate.hold(9_000_000);
    await chooser(page, "Video").setInputFiles(longFilm("long.mp4"));
    await haltedAt(video, gate);
    await video.getByRole("button", { name: "Stop" }).click();
    const question = page.getByRole("dialog", { name: "Stop uploading long.mp4?" });
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(video.getByText("long.mp4", { exact: true })).toBeVisible();
    await video.getByRole("button", { name: "Stop" }).click();
    await look(page, "media-cancel", { widths: [360] });
    // The row goes before the bytes do: a reload between the two would break off the deletion.
    const deleted = page.waitForResponse((answer) => answer.request().method() === "DELETE");
    await question.getByRole("button", { name: "Stop uploading" }).click();
    await expect(chooser(page, "Video")).toBeVisible();
    expect((await deleted).status()).toBe(204);
    const open = site.services.db.read.selectFrom("uploads").where("lessonId", "=", lesson.id);
    expect(await open.select("fileName").execute()).toEqual([]);
    await page.reload();
    await expect(chooser(page, "Video")).toBeVisible();
    await expect(video.getByText("stopped at")).toBeHidden();
  });
});
