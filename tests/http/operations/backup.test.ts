import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { loadConfig } from "~/platform/config/config.ts";
import { newId, siteId } from "~/platform/db/ids.ts";
import { openSnapshot } from "~/platform/db-copy/sqlite.ts";
import type { CopiedTable } from "~/platform/db-copy/table.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { temporaryFolder } from "../../support/config.ts";
import { createCourse } from "../../support/courses.ts";
import { contentOf, statement, tablesAt } from "../../support/database-dump.ts";
import { fill } from "../../support/filled-site.ts";
import { prompts } from "../../support/journal.ts";
import {
  cloudPlace,
  command,
  folderPlace,
  type Place,
  placesOfFile,
  ran,
  refused,
} from "../../support/media-stores.ts";
import { cookieOf, createPerson } from "../../support/people.ts";
import { storedPicture } from "../../support/pictures.ts";
import { run, startServing } from "../../support/process.ts";
import { rawRows } from "../../support/raw-rows.ts";

const fresh = placesOfFile();

const filmBytes = Buffer.alloc(
  6_000_000,
  Buffer.from(Array.from({ length: 251 }, (_, n) => (n * 7919) % 251)),
);

/** A site with a course, a film, pictures, a student and a session. */
async function lived(place: Place) {
  const services = await openServices(loadConfig({ ...place.env, LOG_LEVEL: "silent" }));
  await services.storage.prepare();
  await siteId(services);
  const film = path.join(temporaryFolder(), "film.mp4");
  writeFileSync(film, filmBytes);
  await services.storage.putFile("course-videos", "m/the film é.mp4", film);
  const course = await createCourse(services, [
    [{ muxPlaybackId: "m/the film é.mp4", prompts: prompts(1) }],
  ]);
  const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
  for (const of of [null, lessonId]) await storedPicture(services, of);
  const student = await createPerson(services);
  await enroll(services, { userId: student.id, productId: course.id });
  const cookie = await cookieOf(services, student.id);
  await closeServices(services);
  return { course, student, cookie, lessonId };
}

/** Tables with every column as it stands in a file, for comparing two of them. */
function tablesOf(file: string): CopiedTable[] {
  const snapshot = openSnapshot(file);
  const tables = snapshot.tables.map((name): CopiedTable => {
    const columns = snapshot
      .columnsOf(name)
      .map((column) => ({ name: column, kind: "number" as const }));
    return { name, columns, key: [], refersTo: [] };
  });
  snapshot.close();
  return tables;
}

async function tablesAtPlace({ database }: Place) {
  return "url" in database ? tablesAt(database.url) : tablesOf(database.file);
}

/** What says when the last backup was made is of the place where it was made. */
const forgetBackup = ({ database }: Place) =>
  statement(database, "delete from settings where name = 'last-backup'");

async function expectSameRows(one: Place, other: Place) {
  const tables = await tablesAtPlace(other);
  for (const place of [one, other]) await forgetBackup(place);
  expect(await contentOf(one.database, tables)).toEqual(await contentOf(other.database, tables));
}

/** The lesson that {@link lived} has made, as its student sees it after a start. */
async function lessonPage(env: Record<string, string>, slug: string, cookie: string) {
  const site = await startServing(env);
  const page = await fetch(`http://127.0.0.1:${site.port}/courses/${slug}/learn`, {
    headers: { cookie },
  });
  expect(page.status).toBe(200);
  const html = await page.text();
  await site.kill("SIGTERM");
  return html;
}

const backupsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^2/.test(name))
    .sort();
const newest = (folder: string) => path.join(folder, backupsIn(folder).at(-1) ?? "");

describe("npm run backup", { timeout: 180_000 }, () => {
  test("while words are being saved, has all that were saved before; the restored site goes on", async () => {
    const place = await fresh();
    const { course, cookie, lessonId } = await lived(place);
    const site = await startServing({ ...place.env, SAMPLE_CONTENT: "on" });
    const origin = site.url;
    const draftId = newId();
    let saved = 0;
    let writing = true;
    const save = async () => {
      const answers = [{ question: "Question 1", answer: `words ${saved + 1}` }];
      const path = `/courses/${course.slug}/learn/draft`;
      const { status } = await fetch(`http://127.0.0.1:${site.port}${path}`, {
        method: "PUT",
        headers: { cookie, origin, "content-type": "application/json" },
        body: JSON.stringify({ draftId, lessonId, revision: saved + 1, answers }),
      });
      // Faster than anybody types: one that is put off is tried again.
      if (status === 429) return;
      expect(status).toBeLessThan(300);
      saved += 1;
    };
    await save();
    const writer = (async () => {
      while (writing) await save();
    })();
    const before = saved;
    const folder = temporaryFolder();
    await ran(place.env, "backup", folder);
    writing = false;
    await writer;
    expect(saved).toBeGreaterThan(before);
    const [row] = await statement(
      { file: path.join(newest(folder), "site.db") },
      "select revision from drafts",
    );
    expect(row?.revision).toBeGreaterThanOrEqual(before);

    await site.kill("SIGTERM");
    await ran(place.env, "backup", folder);
    const there = await fresh();
    const restored = await ran(there.env, "restore", newest(folder));
    expect(restored).toMatch(/^Restored the site of 2.*\nStart the site now\.$/);
    await expectSameRows(there, place);
    const media = await place.media();
    for (const name of ["course-videos/", "pictures/public/", "pictures/lesson/"])
      expect(Object.keys(media)).toContainEqual(expect.stringContaining(name));
    expect(await there.media()).toEqual(media);

    const env = { ...there.env, SAMPLE_CONTENT: "on" };
    expect(await lessonPage(env, course.slug, cookie)).toContain(`words ${saved}`);
  });

  test("of a cron: media is not copied twice, old ones are removed, and each is complete by itself", async () => {
    const place = await fresh();
    await lived(place);
    const folder = path.join(temporaryFolder(), "made", "here");
    for (let n = 0; n < 3; n += 1) await ran(place.env, "backup", folder);
    const files = backupsIn(folder).map((name) =>
      statSync(path.join(folder, name, "media/course-videos/m/the film é.mp4")),
    );
    expect(new Set(files.map(({ ino }) => ino)).size).toBe(1);
    const last = await ran(place.env, "backup", folder, "--keep", "2");
    expect(last).toMatch(/4 media files with 6\.0 MB \(4 of them as in the backup before\)/);
    expect(readdirSync(folder).filter((name) => name !== "lock")).toEqual(backupsIn(folder));
    expect(backupsIn(folder)).toHaveLength(2);
    const checked = await ran(place.env, "restore", "--check", newest(folder));
    expect(checked).toContain("All of it can be read.");
    for (const name of ["site.db", "secret", "manifest.json"])
      expect(statSync(path.join(newest(folder), name)).mode & 0o77, name).toBe(0);
  });

  test("what storage has lost is taken from the backup before, reported, and no backup is removed", async () => {
    const place = await fresh(folderPlace);
    await lived(place);
    const folder = temporaryFolder();
    const film = "media/course-videos/m/the film é.mp4";
    for (let n = 0; n < 2; n += 1) await ran(place.env, "backup", folder);
    rmSync(path.join(place.dataDir, film));
    const end = await command(place.env, "backup", folder, "--keep", "1");
    expect([end.code, end.err]).toEqual([1, expect.stringMatching(/film é.mp4 is in storage no/)]);
    expect(backupsIn(folder)).toHaveLength(3);
    expect(statSync(path.join(newest(folder), film)).size).toBe(6_000_000);
    await ran(place.env, "restore", "--check", newest(folder));
  });

  test("is noted in the live database, and no copy has a note of it", async () => {
    const place = await fresh();
    await lived(place);
    const folder = temporaryFolder();
    const noted = "select created_at from settings where name = 'last-backup'";
    for (let n = 0; n < 2; n += 1) {
      await ran(place.env, "backup", folder);
      const [row] = await statement(place.database, noted);
      const madeAt = path.basename(newest(folder)).replace(/T(..)-(..)-/, "T$1:$2:");
      const ageMs = new Date(row?.created_at).getTime() - Date.parse(madeAt);
      expect(Math.abs(ageMs)).toBeLessThan(5000);
      expect(await statement({ file: path.join(newest(folder), "site.db") }, noted)).toEqual([]);
    }
    const there = await fresh();
    await ran(there.env, "restore", newest(folder));
    expect(await statement(there.database, noted)).toEqual([]);
  });

  test("--keep is about this site's backups, and never about the one just made", async () => {
    const [one, other] = [await fresh(folderPlace), await fresh(folderPlace)];
    for (const place of [one, other]) await lived(place);
    const folder = temporaryFolder();
    for (const { env } of [one, other]) await ran(env, "backup", folder);
    const [ofOne = "", ofOther = ""] = backupsIn(folder);
    const ahead = "2999-01-01T00-00-00.000Z";
    cpSync(path.join(folder, ofOne), path.join(folder, ahead), { recursive: true });
    mkdirSync(path.join(folder, "unfinished-novel"));
    const last = await ran(one.env, "backup", folder, "--keep", "1");
    const left = backupsIn(folder);
    expect(left).toHaveLength(2);
    expect(left[0]).toBe(ofOther);
    expect(last).toContain(path.join(folder, left[1] ?? "-"));
    expect(readdirSync(folder)).toContain("unfinished-novel");
  });

  test("killed in the middle, leaves nothing that looks like a backup, and works again", async () => {
    const place = await fresh(folderPlace);
    await lived(place);
    const big = path.join(place.dataDir, "media/course-videos/m/the film é.mp4");
    truncateSync(big, 200e6);
    const folder = temporaryFolder();
    const program = run("command.ts", ["backup", folder], place.env);
    const work = () => readdirSync(folder).find((name) => name.startsWith("unfinished-"));
    while (!existsSync(path.join(folder, work() ?? "-", "media"))) await pause(2);
    // It is in the middle as long as it is looked at; the lock is the system's and stays.
    program.child.kill("SIGSTOP");
    expect(await refused(place.env, "backup", folder)).toMatch(/^Another backup is being/);
    expect((await program.kill("SIGKILL")).signal).toBe("SIGKILL");
    expect(backupsIn(folder)).toEqual([]);
    const left = path.join(folder, work() ?? "");
    expect(await refused(place.env, "restore", left)).toContain("is no backup");
    await ran(place.env, "backup", folder);
    expect([work(), backupsIn(folder).length]).toEqual([undefined, 1]);
  });

  test("of a damaged database is none, and older ones stay", async () => {
    const place = await fresh(folderPlace);
    await lived(place);
    const folder = temporaryFolder();
    await ran(place.env, "backup", folder);
    await statement({ file: path.join(place.dataDir, "site.db") }, "delete from products", false);
    expect(await refused(place.env, "backup", folder)).toMatch(
      /database is damaged \(a row of .* points to one that is not there\)/,
    );
    expect(backupsIn(folder)).toHaveLength(1);
    expect(readdirSync(folder).some((name) => name.startsWith("unfinished"))).toBe(false);
  });

  test("says what is missing", async () => {
    const place = await fresh(folderPlace);
    expect(await refused(place.env, "backup")).toMatch(/^Where to\? npm run backup/);
    expect(await refused(place.env, "backup", "a", "b")).toMatch(/^Where to\?/);
    const few = await refused(place.env, "backup", "/tmp/x", "--keep", "none");
    expect(few).toMatch(/^--keep: must be how many/);
    expect(await refused(place.env, "backup", "/dev/null/x")).toMatch(/cannot be written to/);
    expect(await refused(place.env, "backup", temporaryFolder())).toMatch(
      /^DATA_DIR: there is no /,
    );
  });
});

describe("npm run restore", { timeout: 180_000 }, () => {
  async function backedUp() {
    const place = await fresh(folderPlace);
    await lived(place);
    const folder = temporaryFolder();
    await ran(place.env, "backup", folder);
    return { place, folder, backup: newest(folder) };
  }
  /** For tests that harm a copy of it. */
  let intact: ReturnType<typeof backedUp> | undefined;

  test("never writes over anything", async () => {
    const { place, folder, backup } = await backedUp();
    const before = readFileSync(path.join(place.dataDir, "site.db"));
    expect(await refused(place.env, "restore", backup)).toMatch(
      /^There is a database already: .*site\.db\. Nothing was changed\./,
    );
    expect(readFileSync(path.join(place.dataDir, "site.db")).equals(before)).toBe(true);
    const there = await fresh(folderPlace);
    const stranger = path.join(there.dataDir, "media/course-videos/m");
    await there.media();
    copyFileSync(path.join(backup, "secret"), path.join(there.dataDir, "stranger"));
    mkdirSync(stranger);
    writeFileSync(path.join(stranger, "the film é.mp4"), "another film");
    expect(await refused(there.env, "restore", backup)).toContain(
      "or not the same: course-videos/m/the film é.mp4. Nothing was",
    );
    expect(readFileSync(path.join(stranger, "the film é.mp4"), "utf8")).toBe("another film");
    expect(existsSync(path.join(there.dataDir, "site.db"))).toBe(false);
    expect(await refused(there.env, "restore", folder)).toBe(
      `Which one? The newest there is ${backup}`,
    );
    expect(await refused(there.env, "restore", temporaryFolder())).toContain("is no backup");
    expect(await refused(there.env, "restore")).toMatch(/^Which one\?/);
  });

  test("beside a site that runs there is refused", async () => {
    const { place, backup } = await backedUp();
    const site = await startServing(place.env);
    expect(await refused(place.env, "restore", backup)).toContain("already serving from");
    await site.kill("SIGTERM");
  });

  test.each([
    [
      "site.db",
      (file: string) => writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.alloc(1)])),
    ],
    [
      "media/course-videos/m/the film é.mp4",
      (file: string) => {
        const bytes = readFileSync(file);
        bytes[3_000_000] = (bytes[3_000_000] ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
    ],
    ["manifest.json", (file: string) => truncateSync(file, 100)],
    [
      "manifest.json",
      (file: string) =>
        writeFileSync(file, readFileSync(file, "utf8").replace("m/the film", "../../the film")),
    ],
    [
      "manifest.json",
      (file: string) =>
        writeFileSync(file, readFileSync(file, "utf8").replace(/"media": \[.*?\]/s, '"media": []')),
    ],
  ])("of one whose %s is not as it was made says so, and changes nothing", async (name, harm) => {
    intact ??= backedUp();
    const backup = path.join(temporaryFolder(), path.basename((await intact).backup));
    cpSync((await intact).backup, backup, { recursive: true });
    const there = await fresh(folderPlace);
    harm(path.join(backup, name));
    for (const check of [[], ["--check"]]) {
      const why = await refused(there.env, "restore", ...check, backup);
      expect(why).toMatch(/damaged/);
      expect(why).toContain(name);
    }
    expect(existsSync(path.join(there.dataDir, "site.db"))).toBe(false);
    expect(existsSync(path.join(there.dataDir, "media"))).toBe(false);
  });

  test("killed in the middle, works when it is run again", async () => {
    const place = await fresh(folderPlace);
    await lived(place);
    for (const name of ["a", "b"]) {
      const film = path.join(place.dataDir, `media/course-videos/m/${name}.mp4`);
      writeFileSync(film, "x");
      truncateSync(film, 60e6);
      const values = `'${newId()}', 'course-videos', 'm/${name}.mp4', 'f', 'video/mp4', 1, '2026-01-01T00:00:00.000Z'`;
      await statement(
        place.database,
        `insert into media_files (id, bucket, key, file_name, content_type, size, created_at) values (${values})`,
      );
    }
    const folder = temporaryFolder();
    await ran(place.env, "backup", folder);
    const there = await fresh(folderPlace);
    const program = run("command.ts", ["restore", newest(folder)], there.env);
    const films = path.join(there.dataDir, "media/course-videos/m");
    while (!existsSync(films) || readdirSync(films).length === 0) await pause(2);
    expect((await program.kill("SIGKILL")).signal).toBe("SIGKILL");
    expect(existsSync(path.join(there.dataDir, "site.db"))).toBe(false);
    await ran(there.env, "restore", newest(folder));
    expect(await there.media()).toEqual(await place.media());
    await expectSameRows(there, place);
  });

  test("of a newer version's backup is refused", async () => {
    const place = await fresh(folderPlace);
    await lived(place);
    await statement(
      place.database,
      "insert into kysely_migration values ('999-later', '2099-01-01T00:00:00.000Z')",
    );
    const folder = temporaryFolder();
    await ran(place.env, "backup", folder);
    const there = await fresh(folderPlace);
    expect(await refused(there.env, "restore", newest(folder))).toContain(
      "made by a newer version",
    );
    expect(existsSync(path.join(there.dataDir, "site.db"))).toBe(false);
  });
});

describe.runIf(process.env.TEST_DATABASE_URL)("a backup, on the other engine", () => {
  test("is the same site: SQLite, then PostgreSQL and S3, then SQLite again", {
    timeout: 180_000,
  }, async () => {
    // With a key of its own, each place would wrap anew: that is in encryption/restored-site.test.ts.
    const key = { JOURNAL_KEY: randomBytes(32).toString("base64") };
    const keyed = async (make: () => Promise<Place>) => {
      const place = await fresh(make);
      Object.assign(place.env, key);
      return place;
    };
    const one = await keyed(folderPlace);
    const { cookie, course } = await lived(one);
    const cloud = await keyed(cloudPlace);
    await closeServices(await openServices(loadConfig({ ...cloud.env, LOG_LEVEL: "silent" })));
    const tables = await tablesAtPlace(cloud);
    fill(path.join(one.dataDir, "site.db"), tables);
    const folder = temporaryFolder();
    await ran(one.env, "backup", folder);
    const secret = { AUTH_SECRET: readFileSync(path.join(newest(folder), "secret"), "utf8") };
    const other = await command(cloud.env, "restore", newest(folder));
    expect(other.code).toBe(0);
    expect(other.err).toMatch(/^AUTH_SECRET is not what this site had: .*secret\.$/);
    await forgetBackup(one);
    const content = await contentOf(one.database, tables);
    for (const { name } of tables) expect(content[name]?.rows, name).toBeGreaterThan(0);
    expect(await contentOf(cloud.database, tables)).toEqual(content);
    const url = cloud.env.DATABASE_URL ?? "";
    const there = await rawRows({ file: path.join(one.dataDir, "site.db"), url });
    expect(there.postgres).toEqual(there.sqlite);
    expect(await cloud.media()).toEqual(await one.media());
    expect(await refused(cloud.env, "restore", newest(folder))).toContain("is not empty");

    const env = { ...cloud.env, ...secret };
    await ran(env, "backup", folder);
    await forgetBackup(cloud);
    const home = await keyed(folderPlace);
    await ran(home.env, "restore", newest(folder));
    expect(await contentOf(home.database, tables)).toEqual(content);
    const back = await rawRows({ file: path.join(home.dataDir, "site.db"), url });
    expect(back.sqlite).toEqual(there.sqlite);
    expect(back.sqlite).toEqual(back.postgres);
    expect(await home.media()).toEqual(await one.media());
    await lessonPage(home.env, course.slug, cookie);
  });
});
