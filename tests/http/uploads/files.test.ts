import { beforeAll, describe, expect, test } from "vitest";
import { fileMessages, mostFiles } from "~/features/lesson-media/file-messages.ts";
import { changeFile, listFiles } from "~/features/lesson-media/files.server.ts";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { uploadRefusals } from "~/features/lesson-media/messages.ts";
import type { Bucket } from "~/platform/storage/storage.ts";
import { createCourse } from "../../support/courses.ts";
import { documents, zipBomb } from "../../support/documents.ts";
import { listFile, readerOf, uploadFile } from "../../support/lesson-files.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { refusalOf, startUploadSite, type UploadSite, unfinish } from "../../support/uploads.ts";

const page = "<!doctype html><html><body><script>xss()</script></body></html>";
const { pdf = Buffer.alloc(0), docx = pdf, zip = pdf, docm = pdf, png = pdf } = documents;
const settings = { LESSON_FILE_LIMIT_MB: "1" };

/** Each under a name of its own: file name, bytes, and why it is refused. */
const refused: [string, string, Buffer | string, string][] = [
  ["a page", "page.pdf", page, fileMessages.notOfType("pdf")],
  ["a page before a PDF", "page.pdf", page + pdf.toString("latin1"), fileMessages.notOfType("pdf")],
  ["a page as a picture", "page.png", page, fileMessages.notOfType("png")],
  ["a PDF as a picture", "a.webp", pdf, fileMessages.misnamed("webp", "PDF", "pdf")],
  ["a Word file as a ZIP", "a.zip", docx, fileMessages.misnamed("zip", "Word", "docx")],
  ["a ZIP as a Word file", "a.docx", zip, fileMessages.misnamed("docx", "ZIP", "zip")],
  ["a Word file with macros", "a.docx", docm, fileMessages.notOfType("docx")],
  ["half a PDF", "a.pdf", pdf.subarray(0, 100), fileMessages.damaged],
  ["half a picture", "a.png", png.subarray(0, 45), fileMessages.damaged],
];

describe.each(["local", "s3"] as const)("files of a lesson, %s", (kind) => {
  const site = openForTests(() => startUploadSite(kind, settings));
  let to: UploadSite["to"];
  beforeAll(() => {
    to = site.to;
  });
  const aLesson = async () => {
    const [module] = (await createCourse(site.services, [[{}]])).modules;
    return { ...to, moduleId: module?.id ?? "", lessonId: module?.lessons[0]?.id ?? "" };
  };
  const filesOf = (lessonId: string) => listFiles(site.services.db.read, lessonId);
  const follow = (answer: Response) =>
    fetch(new URL(answer.headers.get("location") ?? "", site.url));

  test("POST /uploads: takes each type, and students get it as it was, under its title", async () => {
    const lesson = await aLesson();
    const names = ["pdf", "epub", "zip", "png", "jpeg", "webp", "docx", "xlsx"].map(
      (extension) => `Trost_für ${extension}.${extension}`,
    );
    for (const name of names) await uploadFile(lesson, name);
    const files = await filesOf(lesson.lessonId);
    expect(files.map(({ title }) => title)).toEqual(
      names.map((name) => name.replace("_", " ").replace(/\.\w+$/, "")),
    );
    const { press } = await readerOf(site, lesson.lessonId);
    for (const { id, fileName, title } of files) {
      const answer = await press(id);
      expect([answer.status, answer.headers.get("cache-control")]).toEqual([303, "no-store"]);
      const got = await follow(answer);
      expect(got.status).toBe(200);
      const extension = fileName.split(".").at(-1) ?? "";
      const said = got.headers.get("content-disposition") ?? "";
      expect(said).toMatch(/^attachment; filename="Trost fur \w+\.\w+"; filename\*=UTF-8''/);
      expect(decodeURIComponent(said.split("''")[1] ?? "")).toBe(`${title}.${extension}`);
      expect(got.headers.get("content-type")).toMatch(/^(application|image)\/(?!octet)/);
      if (kind === "local") expect(got.headers.get("x-content-type-options")).toBe("nosniff");
      const bytes = Buffer.from(await got.arrayBuffer());
      expect(bytes).toEqual(documents[extension === "jpeg" ? "jpg" : extension]);
    }
  });

  test.each(refused)("PATCH /uploads/*: refuses %s named %s", async (_what, name, bytes, said) => {
    const lesson = await aLesson();
    const refusal = await refusalOf(uploadFile(lesson, name, Buffer.from(bytes as string)));
    expect(refusal).toEqual({ status: 400, said });
    expect(await filesOf(lesson.lessonId)).toEqual([]);
    const { files } = await site.panel(lesson.lessonId);
    expect(files.uploads).toMatchObject([{ kind: "file", fileName: name, reason: said }]);
    expect(site.remains()).toEqual([]);
  });

  test("POST /uploads: refuses other types, empty and large files before their first byte", async () => {
    const lesson = await aLesson();
    const said = async (name: string, bytes: Buffer) => refusalOf(uploadFile(lesson, name, bytes));
    for (const name of ["page.html", "a.pdf.svg", "macros.docm", "pdf"])
      expect((await said(name, pdf)).said).toMatch(/^This file cannot be added/);
    expect(await said("a.pdf", Buffer.alloc(0))).toEqual({
      status: 400,
      said: uploadRefusals.empty,
    });
    const large = await said("a.pdf", Buffer.alloc(1_000_001));
    expect([large.status, large.said]).toEqual([413, expect.stringContaining("Up to 1 MB")]);
  });

  test("PATCH /uploads/*: does not unpack a ZIP bomb, and hands it out as it is", async () => {
    const lesson = await aLesson();
    await uploadFile(lesson, "bomb.zip", zipBomb());
    expect(await filesOf(lesson.lessonId)).toMatchObject([{ title: "bomb" }]);
    const refusal = await refusalOf(uploadFile(lesson, "bomb.docx", zipBomb()));
    expect(refusal.said).toBe(fileMessages.misnamed("docx", "ZIP", "zip"));
  });

  test("POST /uploads: keeps two files of one name, told apart, and thirty at most", async () => {
    const lesson = await aLesson();
    await Promise.all([uploadFile(lesson), uploadFile(lesson)]);
    const files = await filesOf(lesson.lessonId);
    expect(files.map(({ title }) => title)).toEqual(["Workbook", "Workbook (2)"]);
    for (let n = files.length; n < mostFiles; n++) await listFile(site.services, lesson.lessonId);
    expect(await refusalOf(uploadFile(lesson))).toEqual({
      status: 400,
      said: fileMessages.tooMany,
    });
    expect(await filesOf(lesson.lessonId)).toHaveLength(mostFiles);
  });

  test("an upload that a crash left unchecked is finished once", async () => {
    const lesson = await aLesson();
    const id = await uploadFile(lesson);
    await unfinish(site.services, id);
    expect(await filesOf(lesson.lessonId)).toEqual([]);
    await cleanUpMedia.run(site.services);
    await cleanUpMedia.run(site.services);
    expect(await filesOf(lesson.lessonId)).toMatchObject([{ id, title: "Workbook" }]);
  });

  test("a file that is removed while it is downloaded arrives whole, and is gone afterwards", async () => {
    const lesson = await aLesson();
    const { lessonId } = lesson;
    // More than what the network holds.
    const bytes = Buffer.concat([pdf, Buffer.alloc(900_000, 32), Buffer.from("%%EOF")]);
    const id = await uploadFile(lesson, "Workbook.pdf", bytes);
    const { press, page } = await readerOf(site, lessonId);
    expect(await page()).toContain("Workbook");
    const going = await follow(await press(id));
    await changeFile(site.services, { lessonId, intent: "remove", file: id });
    for (const days of [0, 8]) {
      site.clock.forwardDays(days);
      await cleanUpMedia.run(site.services);
    }
    expect((await going.arrayBuffer()).byteLength).toBe(bytes.length);
    const later = await press(id);
    expect([later.status, later.headers.get("location")]).toEqual([404, null]);
    const said = await later.text();
    expect(said).toContain("This file is no longer there");
    expect(said).toContain(`/learn?lesson=`);
    expect(await page()).not.toContain("Workbook");
  });

  test("a file that storage has lost, is a page that says so", async () => {
    const lesson = await aLesson();
    const id = await listFile(site.services, lesson.lessonId);
    const answer = await (await readerOf(site, lesson.lessonId)).press(id);
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain("cannot be fetched just now");
  });

  test("the cleanup deletes files that no lesson lists for seven days, and no others", async () => {
    const lesson = await aLesson();
    const id = await uploadFile(lesson);
    const row = () =>
      site.services.db.read
        .selectFrom("mediaFiles")
        .select(["bucket", "key"])
        .where("id", "=", id)
        .executeTakeFirst();
    const cleanUp = async (days = 0) => {
      site.clock.forwardDays(days);
      await cleanUpMedia.run(site.services);
    };
    const stored = async () => (await row()) !== undefined;
    const { bucket = "", key = "" } = (await row()) ?? {};
    const set = (deletedAt: Date | null) =>
      site.services.db.write
        .updateTable("lessons")
        .set({ deletedAt })
        .where("id", "=", lesson.lessonId)
        .execute();
    await cleanUp();
    await cleanUp(40);
    expect(await stored()).toBe(true);
    await set(site.clock.now());
    for (const days of [0, 29.9, 0.2, 6.8]) await cleanUp(days);
    expect(await stored()).toBe(true);
    expect(await filesOf(lesson.lessonId)).toHaveLength(1);
    await cleanUp(0.3);
    expect(await stored()).toBe(false);
    expect(await filesOf(lesson.lessonId)).toEqual([]);
    expect(await site.services.storage.find(bucket as Bucket, key)).toBeNull();
  });
});
