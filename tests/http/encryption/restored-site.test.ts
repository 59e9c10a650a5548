import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { statement } from "../../support/database-dump.ts";
import {
  command,
  folderPlace,
  type Place,
  placesOfFile,
  ran,
  refused,
} from "../../support/media-stores.ts";
import { expectReadable, written } from "../../support/writing-student.ts";

const fresh = placesOfFile();
const write = (place: Place, words: string) => written(place, words, words);
const expectWords = (place: Place, userId: string, words: string) =>
  expectReadable(place, userId, { sent: words, typed: words });

async function backedUp({ env }: Place) {
  const folder = temporaryFolder();
  await ran(env, "backup", folder);
  return path.join(folder, readdirSync(folder).find((name) => /^2/.test(name)) ?? "");
}

/** @returns the folder where its database is then */
function putAside({ dataDir }: Place) {
  const aside = temporaryFolder();
  for (const name of readdirSync(dataDir).filter((file) => file.startsWith("site.db")))
    renameSync(path.join(dataDir, name), path.join(aside, name));
  return aside;
}

// With PostgreSQL, settings have the key.
describe.skipIf(process.env.TEST_DATABASE_URL)("DATA_DIR", { timeout: 120_000 }, () => {
  /** Sealed with one key and backed up, then with another; the first is restored, the other put aside. */
  async function restored() {
    const place = await fresh(folderPlace);
    const { dataDir } = place;
    const before = await write(place, "before");
    const backup = await backedUp(place);
    await ran(place.env, "journal:rotate");
    const after = await write(place, "after");
    const aside = putAside(place);
    const keys = readFileSync(path.join(dataDir, "journal-key"), "utf8");
    await ran(place.env, "restore", backup);
    return { place, before, after, aside, keys };
  }
  const keyOf = ({ dataDir }: Place) => readFileSync(path.join(dataDir, "journal-key"), "utf8");
  const setAside = ({ dataDir }: Place) =>
    readdirSync(dataDir).filter((name) => name.startsWith("journal-key."));

  test("whose database was put aside has its key in a file of its own", async () => {
    const { place, before, keys } = await restored();
    const [copy = "", ...more] = setAside(place);
    expect(more).toEqual([]);
    expect(copy).toMatch(/^journal-key\.before-restore-\d{4}-\d\d-\d\dT[\d-]+Z$/);
    expect(statSync(path.join(place.dataDir, copy)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(place.dataDir, copy), "utf8")).toBe(keys);
    expect(keyOf(place)).not.toContain(keys.trim());
    await expectWords(place, before, "before");
  });

  test("after a restore gets another key when it is changed, and loses no other", async () => {
    const { place, before, after, aside, keys } = await restored();
    const old = keyOf(place);
    await ran(place.env, "journal:rotate");
    expect(keyOf(place)).not.toContain(old.trim().split("\n")[0]);
    await expectWords(place, before, "before");
    // What was put aside, put back with the key that it had.
    const { dataDir } = place;
    putAside(place);
    for (const name of readdirSync(aside))
      renameSync(path.join(aside, name), path.join(dataDir, name));
    const [copy = ""] = setAside(place);
    expect(readFileSync(path.join(dataDir, copy), "utf8")).toBe(keys);
    renameSync(path.join(dataDir, copy), path.join(dataDir, "journal-key"));
    await expectWords(place, after, "after");
  });

  test("with a second key that nothing here needs still has it when the first is changed", async () => {
    const { place, before, keys } = await restored();
    const [old = ""] = keyOf(place).split("\n");
    writeFileSync(path.join(place.dataDir, "journal-key"), `${old}\n${keys}`);
    await ran(place.env, "journal:rotate");
    expect(keyOf(place)).not.toContain(old);
    expect(keyOf(place).split("\n").slice(1).join("\n")).toBe(keys);
    await ran(place.env, "journal:rotate");
    expect(keyOf(place).split("\n").slice(1).join("\n")).toBe(keys);
    await expectWords(place, before, "before");
  });
});

// Where it is restored, or moved to, is PostgreSQL.
describe.runIf(process.env.TEST_DATABASE_URL)("PostgreSQL", { timeout: 120_000 }, () => {
  const databases: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const drop of databases) await drop();
  });
  async function target() {
    const { url = "", drop } = await freshDatabase();
    databases.push(drop);
    return { DATABASE_URL: url, AUTH_SECRET: "a-secret-of-all-machines-".repeat(2) };
  }
  async function sealed() {
    const place = await fresh(folderPlace);
    return { place, userId: await write(place, "words") };
  }
  /** Another machine: its folder has nothing. */
  const elsewhere = (place: Place, env: Record<string, string>): Place => ({
    ...place,
    env: { ...env, DATA_DIR: temporaryFolder() },
  });

  test("is not sealed with the key of the folder that it was restored beside", async () => {
    const { place, userId } = await sealed();
    const backup = await backedUp(place);
    putAside(place);
    const env = await target();
    expect((await command({ ...place.env, ...env }, "restore", backup)).code).toBe(0);
    await expectWords(elsewhere(place, env), userId, "words");
  });

  test("takes everybody else's words also where one key is damaged", async () => {
    const { place, userId } = await sealed();
    const other = await write(place, "lost");
    const file = path.join(place.dataDir, "site.db");
    await statement(
      { file },
      `update journal_keys set wrapped_key = 'w1.damaged' where user_id = '${other}'`,
    );
    const backup = await backedUp(place);
    const env = await target();
    expect((await command({ ...place.env, ...env }, "restore", backup)).code).toBe(0);
    await expectWords(elsewhere(place, env), userId, "words");
  });

  test("is not moved to with JOURNAL_KEY while the rows need the folder's key", async () => {
    const { place, userId } = await sealed();
    const { DATABASE_URL, AUTH_SECRET } = await target();
    const JOURNAL_KEY = randomBytes(32).toString("base64");
    const withKey = { ...place.env, JOURNAL_KEY };
    expect(await refused(withKey, "db:move", "--to", DATABASE_URL)).toMatch(
      /^JOURNAL_KEY: .*npm run journal:rotate/,
    );
    await ran(withKey, "journal:rotate");
    expect(await ran(withKey, "db:move", "--to", DATABASE_URL)).toContain(
      "JOURNAL_KEY stays as it is.",
    );
    const there = elsewhere(place, { DATABASE_URL, AUTH_SECRET, JOURNAL_KEY });
    await expectWords(there, userId, "words");
  });

  test("is not moved to while the first line of the folder's key is not that of the rows", async () => {
    const { place, userId } = await sealed();
    const { DATABASE_URL, AUTH_SECRET } = await target();
    const file = path.join(place.dataDir, "journal-key");
    const other = randomBytes(32).toString("base64url");
    writeFileSync(file, `${other}\n${readFileSync(file, "utf8")}`);
    expect(await refused(place.env, "db:move", "--to", DATABASE_URL)).toMatch(
      /^DATA_DIR: .*npm run journal:rotate/,
    );
    await ran(place.env, "journal:rotate");
    await ran(place.env, "db:move", "--to", DATABASE_URL);
    const [JOURNAL_KEY = ""] = readFileSync(file, "utf8").split("\n");
    const there = elsewhere(place, { DATABASE_URL, AUTH_SECRET, JOURNAL_KEY });
    await expectWords(there, userId, "words");
  });
});
