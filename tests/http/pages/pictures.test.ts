import { beforeAll, expect, test } from "vitest";
import { pageMessages } from "~/features/pages/messages.ts";
import { getPageChanges } from "~/features/pages/publish.server.ts";
import { cleanUpPictures } from "~/features/pictures/jobs.server.ts";
import { pictureMessages, unusedPictureDays } from "~/features/pictures/messages.ts";
import { keepPictures } from "~/features/pictures/pictures.server.ts";
import type { AddedPicture } from "~/features/pictures/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { movableClock } from "../../support/clock.ts";
import { firstPage } from "../../support/first-edition.ts";
import { elements } from "../../support/head.ts";
import { draftPlace, publishDrafts } from "../../support/page-editing.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { file, photograph, sendPicture, storedPicture } from "../../support/pictures.ts";
import { siteOfFile } from "../../support/site.ts";

const site = siteOfFile();
let coach: Person;
beforeAll(async () => {
  coach = await createPerson(site.services, { role: "admin", name: "Nora" });
  coach.cookie = await site.cookieOf(coach);
});

async function added(): Promise<AddedPicture> {
  const answer = await sendPicture(site, coach, { use: "page", file: file(await photograph()) });
  return (await answer.json()) as AddedPicture;
}

async function write(page: string, field: string, value: string | Record<string, string>[]) {
  await draftPlace(site.services, coach, { page, field, value });
  await publishDrafts(site.services, page);
}

const text = async (path: string, as: Person | null = null) => {
  // A change of an admin: what is in memory is looked at before it is answered.
  await site.ask("/admin/pages/home/draft", { as: coach, form: {} });
  return (await site.ask(path, { as })).text();
};

test("a picture in a text is public with it, at three widths, with its description", async () => {
  const picture = await added();
  const value = `Before.\n\n![The window, "open". Write to {email}](picture:${picture.id})\n\nAfter.`;
  await draftPlace(site.services, coach, { page: "about", field: "text", value });
  expect(await text("/about")).not.toContain(picture.src);
  expect(await text("/about?edit", coach)).toContain(picture.src);
  await publishDrafts(site.services, "about");
  const shown = elements(await text("/about"), "img").find(({ src }) => src === picture.src);
  const { email } = site.services.content.site;
  expect(shown?.alt).toBe(`The window, &#x22;open&#x22;. Write to ${email}`);
  expect(shown).toMatchObject({
    ...{ width: "1600", height: "1067", loading: "lazy" },
  });
  expect(shown?.srcset?.split(", ")).toHaveLength(3);
  expect((await site.ask(picture.src)).headers.get("content-type")).toBe("image/webp");
});

test("a film has the picture that was chosen for it", async () => {
  const picture = await added();
  const { featured } = await firstPage("home");
  await write("home", "featured", [
    { ...(featured[0] as Record<string, string>), picture: `picture:${picture.id}` },
  ]);
  expect(await text("/")).toContain(`src="${picture.src}"`);
});

test.each<[string, (id: string) => string, string]>([
  ["is not there", () => `![A lamp](picture:${newId()})`, pageMessages.unknownPicture],
  ["belongs to a lesson", (id) => `![A lamp](picture:${id})`, pageMessages.unknownPicture],
  ["is on its way", () => "![A lamp](picture:uploading-1)", "“A lamp” has not arrived"],
  ["is of another site", () => "![A \\[lamp\\]](https://a.example/b.png)", "Only pictures that"],
  ["has no id", () => "![A lamp](picture:toString)", pageMessages.unknownPicture],
  ["is named below", () => `![A lamp][1]\n\n[1]: picture:${newId()}`, pageMessages.unknownPicture],
])("no text is published with a picture that %s", async (_, of, problem) => {
  await storedPicture(site.services, newId());
  const { id } = await site.services.db.read
    .selectFrom("pictures")
    .select("id")
    .where("lessonId", "is not", null)
    .executeTakeFirstOrThrow();
  const page = await draftPlace(site.services, coach, {
    ...{ page: "coaching", field: "text", value: of(id) },
  });
  const { changes } = await getPageChanges(site.services, page);
  expect(changes.map((one) => one.problem)).toEqual([expect.stringContaining(problem)]);
  await expect(publishDrafts(site.services, "coaching")).rejects.toThrow(
    pageMessages.cannotPublish,
  );
});

test("a picture that goes while it is published stops that", async () => {
  const { db } = site.services;
  const [here, gone] = [await added(), { id: newId() }];
  const words = `![A lamp](picture:${here.id}) ![A lamp](picture:${gone.id})`;
  const kept = db.transaction((trx) => keepPictures(trx, words));
  await expect(kept).rejects.toThrow(pictureMessages.gone);
});

test("what a version or a draft shows stays; what nothing shows goes after a month", async () => {
  const [inVersion, inDraft, unused] = [await added(), await added(), await added()];
  const line = ({ id }: AddedPicture) => `![A lamp](picture:${id})`;
  await write("privacy", "text", line(inVersion));
  await write("privacy", "text", "No picture any more.");
  await draftPlace(site.services, coach, {
    ...{ page: "privacy", field: "text", value: line(inDraft) },
  });
  const later = movableClock();
  const services = { ...site.services, clock: later };
  await cleanUpPictures.run(services);
  later.forwardDays(unusedPictureDays + 1);
  await cleanUpPictures.run(services);
  const found = await Promise.all(
    [inVersion, inDraft, unused].map(async ({ src }) => (await site.ask(src)).status),
  );
  expect(found).toEqual([200, 200, 404]);
  await publishDrafts(site.services, "privacy");
  expect(await text("/privacy")).toContain(inDraft.src);
});
