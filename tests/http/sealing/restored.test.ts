import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "~/platform/config/config.ts";
import { closeServices, openServices } from "~/services.ts";
import { temporaryFolder } from "../../support/config.ts";
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
    const aside = temporaryFolder();
    for (const name of readdirSync(dataDir).filter((file) => file.startsWith("site.db")))
      renameSync(path.join(dataDir, name), path.join(aside, name));
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
    for (const name of readdirSync(dataDir).filter((file) => file.startsWith("site.db")))
      renameSync(path.join(dataDir, name), path.join(temporaryFolder(), name));
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
