import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/server/services.ts";
import { statement } from "../../support/catalogue.ts";
import { temporaryFolder } from "../../support/config.ts";
import { freshDatabase } from "../../support/database.ts";
import { openedDrafts, openedJournal } from "../../support/opened.ts";
import { command, folderPlace, type Place } from "../../support/places.ts";
import { said, writingStudent } from "../../support/sealed-site.ts";

const places: Place[] = [];
afterAll(async () => {
  for (const place of places) await place.drop();
});

const servicesOf = ({ env }: Place) => openServices(loadConfig({ ...env, LOG_LEVEL: "silent" }));

async function written(place: Place, words: string) {
  const services = await servicesOf(place);
  const { student } = await writingStudent(services, words, words);
  await closeServices(services);
  return student.id;
}

async function expectReadable(place: Place, userId: string, words: string) {
  const services = await servicesOf(place);
  expect(await openedJournal(services, userId)).toMatchObject([{ answers: said(words) }]);
  expect(await openedDrafts(services, userId)).toMatchObject([{ answers: said(words) }]);
  await closeServices(services);
}

async function ran(place: Place, ...words: string[]) {
  expect(await command(place.env, ...words)).toMatchObject({ code: 0, err: "" });
}

async function backedUp(place: Place) {
  const folder = temporaryFolder();
  await ran(place, "backup", folder);
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
    const place = await folderPlace();
    places.push(place);
    const { dataDir } = place;
    const before = await written(place, "before");
    const backup = await backedUp(place);
    await ran(place, "journal:rotate");
    const after = await written(place, "after");
    const aside = putAside(place);
    const keys = readFileSync(path.join(dataDir, "journal-key"), "utf8");
    await ran(place, "restore", backup);
    return { place, before, after, aside, keys };
  }
  const keyOf = ({ dataDir }: Place) => readFileSync(path.join(dataDir, "journal-key"), "utf8");
  const setAside = ({ dataDir }: Place) =>
    readdirSync(dataDir).filter((name) => name.startsWith("journal-key."));

  test("whose database was put aside keeps its key in a file of its own", async () => {
    const { place, before, keys } = await restored();
    const [kept = "", ...more] = setAside(place);
    expect(more).toEqual([]);
    expect(kept).toMatch(/^journal-key\.before-restore-\d{4}-\d\d-\d\dT[\d-]+Z$/);
    expect(statSync(path.join(place.dataDir, kept)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(place.dataDir, kept), "utf8")).toBe(keys);
    expect(keyOf(place)).not.toContain(keys.trim());
    await expectReadable(place, before, "before");
  });

  test("after a restore gets another key when it is changed, and loses no other", async () => {
    const { place, before, after, aside, keys } = await restored();
    const old = keyOf(place);
    await ran(place, "journal:rotate");
    expect(keyOf(place)).not.toContain(old.trim().split("\n")[0]);
    await expectReadable(place, before, "before");
    // What was put aside, put back with the key that it had.
    const { dataDir } = place;
    putAside(place);
    for (const name of readdirSync(aside))
      renameSync(path.join(aside, name), path.join(dataDir, name));
    const [kept = ""] = setAside(place);
    expect(readFileSync(path.join(dataDir, kept), "utf8")).toBe(keys);
    renameSync(path.join(dataDir, kept), path.join(dataDir, "journal-key"));
    await expectReadable(place, after, "after");
  });

  test("with a second key that nothing here needs keeps it when the first is changed", async () => {
    const { place, before, keys } = await restored();
    const [old = ""] = keyOf(place).split("\n");
    // As restores of before wrote it.
    writeFileSync(path.join(place.dataDir, "journal-key"), `${old}\n${keys}`);
    await ran(place, "journal:rotate");
    expect(keyOf(place)).not.toContain(old);
    expect(keyOf(place).split("\n").slice(1).join("\n")).toBe(keys);
    await ran(place, "journal:rotate");
    expect(keyOf(place).split("\n").slice(1).join("\n")).toBe(keys);
    await expectReadable(place, before, "before");
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
    const place = await folderPlace();
    places.push(place);
    return { place, userId: await written(place, "words") };
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
    await expectReadable(elsewhere(place, env), userId, "words");
  });

  test("takes everybody else's words also where one key is damaged", async () => {
    const { place, userId } = await sealed();
    const other = await written(place, "lost");
    const file = path.join(place.dataDir, "site.db");
    await statement(
      { file },
      `update journal_keys set wrapped_key = 'w1.damaged' where user_id = '${other}'`,
    );
    const backup = await backedUp(place);
    const env = await target();
    expect((await command({ ...place.env, ...env }, "restore", backup)).code).toBe(0);
    await expectReadable(elsewhere(place, env), userId, "words");
  });

  test("is not moved to with JOURNAL_KEY while the rows need the folder's key", async () => {
    const { place, userId } = await sealed();
    const { DATABASE_URL, AUTH_SECRET } = await target();
    const JOURNAL_KEY = randomBytes(32).toString("base64");
    const withKey = { ...place.env, JOURNAL_KEY };
    const refused = await command(withKey, "db:move", "--to", DATABASE_URL);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^JOURNAL_KEY: .*npm run journal:rotate/);
    expect(await command(withKey, "journal:rotate")).toMatchObject({ code: 0 });
    const moved = await command(withKey, "db:move", "--to", DATABASE_URL);
    expect(moved).toMatchObject({ code: 0, err: "" });
    expect(moved.out).toContain("JOURNAL_KEY stays as it is.");
    const there = elsewhere(place, { DATABASE_URL, AUTH_SECRET, JOURNAL_KEY });
    await expectReadable(there, userId, "words");
  });

  test("is not moved to while the first line of the folder's key is not that of the rows", async () => {
    const { place, userId } = await sealed();
    const { DATABASE_URL, AUTH_SECRET } = await target();
    const file = path.join(place.dataDir, "journal-key");
    const other = randomBytes(32).toString("base64url");
    writeFileSync(file, `${other}\n${readFileSync(file, "utf8")}`);
    const refused = await command(place.env, "db:move", "--to", DATABASE_URL);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^DATA_DIR: .*npm run journal:rotate/);
    await ran(place, "journal:rotate");
    await ran(place, "db:move", "--to", DATABASE_URL);
    const [JOURNAL_KEY = ""] = readFileSync(file, "utf8").split("\n");
    const there = elsewhere(place, { DATABASE_URL, AUTH_SECRET, JOURNAL_KEY });
    await expectReadable(there, userId, "words");
  });
});
