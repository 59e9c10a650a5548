import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import sharp from "sharp";
import { describe, expect, test, vi } from "vitest";
import { deleteAccounts, scheduleDeletion } from "~/features/accounts/deletion.server.ts";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import {
  removeDeletedPhotographs,
  unusableMessages,
} from "~/features/journal/photographs.server.ts";
import { namedIn } from "~/platform/backup/named-media.ts";
import { newId } from "~/platform/db/ids.ts";
import { sealedKey } from "~/platform/storage/storage.ts";
import { temporaryFolder } from "../../support/config.ts";
import { prompts } from "../../support/journal.ts";
import { said } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { createPerson } from "../../support/people.ts";
import { photographAt, sendPhotograph, takePhotograph } from "../../support/photographs.ts";

const one = { prompts: prompts(1) };
const kit = learningSite([[one, one, { ...one, dripDay: 9 }]]);
const folder = () => path.join(kit.site.services.config.dataDir, "media", "journal-pictures");
const fileOf = (id: string) => path.join(folder(), sealedKey(id));
const send = (more: Parameters<typeof sendPhotograph>[3] = {}, lesson = kit.lesson()) =>
  sendPhotograph(kit.site, kit.student, lesson, more);
async function add(lesson = kit.lesson()): Promise<string> {
  const response = await send({}, lesson);
  expect(response.status).toBe(201);
  return (await response.json()).id;
}
/** One of that size, without its bytes. */
async function place(size: number, { id: lessonId } = kit.lesson()) {
  const { db, clock } = kit.site.services;
  const [createdAt, id] = [clock.now(), newId()];
  const row = { id, lessonId, size, width: 1, height: 1, createdAt, storedAt: createdAt };
  await db.write
    .insertInto("journalPictures")
    .values({ ...row, userId: kit.student.id })
    .execute();
}
const look = (id: string, as = kit.student) => kit.site.ask(photographAt(id), { as });
async function tries(): Promise<number> {
  const limits = await kit.site.services.db.write
    .selectFrom("rateLimits")
    .select("count")
    .execute();
  return limits.reduce((sum, { count }) => sum + count, 0);
}
const rows = () => kit.site.services.db.write.selectFrom("journalPictures").selectAll();

describe("a photograph of a handwritten page", () => {
  test("is upright, small and without metadata; its bytes are sealed; its writer alone sees it", async () => {
    const id = await add();
    const answer = await look(id);
    expect([answer.status, Object.fromEntries(answer.headers)]).toEqual([
      200,
      expect.objectContaining({
        "content-type": "image/webp",
        "cache-control": "private, no-store",
        "x-content-type-options": "nosniff",
      }),
    ]);
    const picture = Buffer.from(await answer.arrayBuffer());
    const found = await sharp(picture).metadata();
    expect(found).toMatchObject({ format: "webp", width: 900, height: 1200 });
    expect([found.exif, found.orientation]).toEqual([undefined, undefined]);
    const sealed = readFileSync(fileOf(id));
    expect(sealed.length).toBe(picture.length + 28);
    for (const sign of ["WEBP", "RIFF", "\xff\xd8\xff", "Exif", "telling"])
      expect(sealed.includes(Buffer.from(sign, "latin1")), sign).toBe(false);
    const other = await createPerson(kit.site.services);
    await enroll(kit.site.services, { userId: other.id, productId: kit.course.id });
    const coach = await createPerson(kit.site.services, { role: "admin" });
    for (const as of [other, coach]) expect((await look(id, as)).status).toBe(404);
    expect((await kit.site.ask(photographAt(id), { as: null })).status).toBe(302);
    expect((await kit.site.ask(`/media/journal-pictures/${sealedKey(id)}`)).status).toBe(403);
    const taken = await sendPhotograph(kit.site, other, kit.lesson(), { id });
    expect(taken.status).toBe(409);
    await kit.site.ask(photographAt(id), { as: other, method: "DELETE" });
    expect((await look(id)).status).toBe(200);
  });

  test("is stored once, however often it is sent", async () => {
    const [id, picture] = [newId(), await takePhotograph()];
    for (const _ of [1, 2]) expect((await send({ id, picture })).status).toBe(201);
    const before = await tries();
    const sent = await Promise.all([send({ id: newId() }), send({ id: newId() })]);
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 503]);
    // The page sends the other one again.
    expect((await tries()) - before).toBe(1);
    expect(await rows().where("userId", "=", kit.student.id).execute()).toHaveLength(2);
  });

  test("is refused where it is no picture, too large, one too many, or not theirs to add", async () => {
    const said = async (response: Response) => [
      response.status,
      (await response.json()).error.message,
    ];
    const page = new Blob(["<script>alert(1)</script>"], { type: "image/jpeg" });
    expect(await said(await send({ picture: page }))).toEqual([
      400,
      expect.stringContaining("not a picture"),
    ]);
    expect(await said(await send({ picture: new Blob(["%PDF-1.7"]) }))).toEqual([
      400,
      "This is not a picture that can be saved here. Please choose a JPEG, PNG or WebP.",
    ]);
    const large = new Blob([new Uint8Array(10_000_001)]);
    expect(await said(await send({ picture: large }))).toEqual([
      413,
      expect.stringContaining("larger than 10 MB"),
    ]);
    expect((await send({ picture: new Blob([new Uint8Array(15e6)]) })).status).toBe(413);
    expect((await send({ picture: "words" })).status).toBe(400);
    expect((await send({ userId: newId() })).status).toBe(401);
    expect((await send({}, { ...kit.lesson(), id: newId() })).status).toBe(404);
    expect((await send({}, kit.lesson(0, 2))).status).toBe(403);
    expect((await sendPhotograph(kit.site, null, kit.lesson())).status).toBe(401);
    const stranger = await createPerson(kit.site.services);
    expect((await sendPhotograph(kit.site, stranger, kit.lesson())).status).toBe(403);
    for (const _ of [1, 2, 3, 4, 5]) await place(1000);
    expect(await said(await send())).toEqual([409, expect.stringContaining("five photographs")]);
    await add(kit.lesson(0, 1));
  });

  test("is refused for an hour after thirty, and where 100 MB are used; words are saved", async () => {
    const { db } = kit.site.services;
    await place(100_000_000, kit.lesson(0, 1));
    const full = await send();
    expect([full.status, (await full.json()).error.code]).toEqual([507, "no_room"]);
    expect((await kit.draft(["words"])).status).toBe(204);
    await db.write.deleteFrom("journalPictures").where("size", "=", 100_000_000).execute();
    const picture = new Blob(["no picture"]);
    for (let tries = 0; tries < 29; tries += 1) await send({ picture });
    const often = await send({ picture });
    expect([often.status, (await send()).status]).toEqual([429, 429]);
  });
});

test("is refused while the disk is nearly full: room stays for words", async () => {
  const room = vi.spyOn(kit.site.services.uploads, "room").mockResolvedValue(5_000_000);
  const refused = await send();
  room.mockRestore();
  expect([refused.status, (await refused.json()).error?.code]).toEqual([507, "no_room"]);
});

describe("without scripts", () => {
  const sendForm = async (fields: [string, string | Blob][], answer = "typed and not sent") =>
    kit.site.ask(kit.learn(), {
      as: kit.student,
      multipart: [
        ...[["lessonId", kit.lesson().id] as [string, string]],
        ...[["question", "Question 1"] as [string, string]],
        ...[["answer", answer] as [string, string]],
        ...fields,
      ],
    });

  test("a photograph is saved with the lesson, and the typed words come back", async () => {
    const picture = await takePhotograph();
    const saved = await sendForm([
      ["picture", picture],
      ["intent", "photograph"],
    ]);
    expect(saved.status).toBe(303);
    expect(saved.headers.get("location")).toContain(`#photographs-${kit.lesson().id}`);
    const [row] = await rows().where("userId", "=", kit.student.id).execute();
    const { html } = await kit.player();
    expect(html).toContain(">typed and not sent</textarea>");
    expect(html).toContain(photographAt(row?.id ?? ""));
    const deleted = await sendForm([["delete-photograph", row?.id ?? ""]], "typed later");
    expect(deleted.status).toBe(303);
    const after = (await kit.player()).html;
    expect(after).toContain("typed later");
    expect(after).not.toContain(photographAt(row?.id ?? ""));
  });

  test("what is refused gives the words back in the form", async () => {
    const picture = new Blob(["<html>"], { type: "image/jpeg" });
    for (const intent of ["photograph", "complete"]) {
      const refused = await sendForm([
        ["picture", picture],
        ["intent", intent],
      ]);
      const html = await refused.text();
      expect(refused.status).toBe(400);
      expect(html).toContain(">typed and not sent</textarea>");
      expect(html).toContain("not a picture");
    }
    const large = await sendForm([
      ["picture", new Blob([new Uint8Array(10_000_001)])],
      ["intent", "photograph"],
    ]);
    const html = await large.text();
    expect([large.status, html]).toEqual([413, expect.stringContaining("larger than 10 MB")]);
    expect(html).toContain(">typed and not sent</textarea>");
  });

  test("a chosen photograph goes along with the answers that complete the lesson", async () => {
    expect((await sendForm([["picture", await takePhotograph()]])).status).toBe(303);
    const journal = await kit.journal();
    expect(journal).toContain("typed and not sent");
    expect(journal).toContain("Photograph of a handwritten page, added");
  });
});

test("each reason why a picture is refused has words of the journal: its size, its kinds", () => {
  const all = Object.values(unusableMessages).join(" ");
  expect(all).toContain("larger than 10 MB");
  expect(all).not.toMatch(/20 MB|GIF|AVIF|sharp/);
});

describe("the journal", () => {
  test("shows, prints and exports photographs, also of a lesson without words", async () => {
    const id = await add();
    expect(await kit.journal()).toContain(photographAt(id));
    expect(await kit.journal()).toContain("1 photograph");
    expect(await kit.journal()).toMatch(
      /<details class="photograph-add[^>]*><summary[^>]*>Add a photograph<\/summary>.*type="file"/,
    );
    const ask = (address: string, form?: Record<string, string>) =>
      kit.site.ask(address, { as: kit.student, ...(form && { form }) });
    const book = await (await ask("/my-courses/journal/book")).text();
    expect(book).toContain(`<img src="${photographAt(id)}" alt="Photograph of a handwritten page`);
    const markdown = await (await ask("/my-courses/journal.md")).text();
    expect(markdown).toContain("it comes along with “Download everything”");
    const zip = path.join(temporaryFolder(), "all.zip");
    writeFileSync(zip, await (await ask("/account/export", {})).bytes());
    const unpacked = temporaryFolder();
    execFileSync("unzip", ["-q", zip, "-d", unpacked]);
    const file = path.join(unpacked, "photographs", `${id}.webp`);
    expect(readFileSync(file)).toEqual(Buffer.from(await (await look(id)).arrayBuffer()));
    expect(readFileSync(path.join(unpacked, "my-journal.md"), "utf8")).toContain(
      `](photographs/${id}.webp)`,
    );
  });

  test.each([
    ["the photograph", (id: string) => `photograph.${id}`],
    ["the lesson's entry", () => kit.lesson().id],
    ["everything", () => "all"],
  ])("deleting %s deletes its bytes", async (_, target) => {
    await kit.write([kit.lesson(), said("words")]);
    const id = await add();
    expect((await (await kit.question(target(id))).yes()).status).toBe(303);
    expect(existsSync(fileOf(id))).toBe(false);
    expect((await look(id)).status).toBe(404);
    expect(await rows().where("id", "=", id).execute()).toEqual([]);
  });

  test("a photograph that was added meanwhile stays: the entry is asked about again", async () => {
    await kit.write([kit.lesson(), said("words")]);
    const question = await kit.question(kit.lesson().id);
    const id = await add();
    await question.yes();
    expect((await look(id)).status).toBe(200);
  });

  test("deleting the account deletes the bytes, and its key at once", async () => {
    const { services } = kit.site;
    const id = await add();
    await scheduleDeletion(services, kit.student.id);
    kit.site.clock.forward(8 * 24 * 3600_000);
    await deleteAccounts.run(services);
    const [row] = await rows().where("id", "=", id).execute();
    expect(row?.userId).toBeNull();
    expect(await namedIn(services.db.read)).not.toContainEqual(
      expect.objectContaining({ key: sealedKey(id) }),
    );
    await removeDeletedPhotographs.run(services);
    expect(existsSync(fileOf(id))).toBe(false);
    expect(await rows().where("id", "=", id).execute()).toEqual([]);
  });

  test("what a crash left is deleted by the work of an hour, and what is whole stays", async () => {
    const { services } = kit.site;
    const ids = { whole: await add(), deleted: await add(), unstored: await add() };
    const table = () => services.db.write.updateTable("journalPictures");
    await table().set({ deletedAt: new Date() }).where("id", "=", ids.deleted).execute();
    await table().set({ storedAt: null }).where("id", "=", ids.unstored).execute();
    await removeDeletedPhotographs.run(services);
    expect(existsSync(fileOf(ids.unstored))).toBe(true);
    kit.site.clock.forward(2 * 3600_000);
    await removeDeletedPhotographs.run(services);
    expect(readdirSync(folder(), { recursive: true })).toContain(sealedKey(ids.whole));
    for (const id of [ids.deleted, ids.unstored]) expect(existsSync(fileOf(id))).toBe(false);
  });
});
