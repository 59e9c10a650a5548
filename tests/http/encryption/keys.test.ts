import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { findSeal, sealOf } from "~/platform/crypto/person-key.ts";
import { rotateKeys } from "~/platform/crypto/rotate-keys.ts";
import { CannotOpen } from "~/platform/crypto/seal.ts";
import { closeServices } from "~/server/services.ts";
import { type Place, placesOfFile, ran, refused } from "../../support/media-stores.ts";
import { openedJournal } from "../../support/opened-journal.ts";
import { createPerson } from "../../support/people.ts";
import { run } from "../../support/process.ts";
import {
  expectReadable,
  said,
  servicesAt,
  writingStudent,
  written,
} from "../../support/writing-student.ts";

const fresh = placesOfFile();
const newKey = () => randomBytes(32).toString("base64");
const isFolder = (place: Place) => "file" in place.database;
/** With DATABASE_URL alone, the key is derived from AUTH_SECRET and stands in no file. */
const hasKeyFile = !process.env.TEST_DATABASE_URL;

async function startOf(place: Place, more: Record<string, string> = {}) {
  const env = { ...place.env, PORT: "0", SAMPLE_CONTENT: "off", ...more };
  return run("start.ts", [], env).ended;
}

describe("a person's key", () => {
  test("is made once, however many ask for it at once", async () => {
    const place = await fresh();
    const one = await servicesAt(place);
    // Two connections of one process to one file of SQLite would wait for each other for ever.
    const other = process.env.TEST_DATABASE_URL ? await servicesAt(place) : one;
    for (let round = 0; round < 5; round += 1) {
      const { id } = await createPerson(one);
      const seals = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          n % 3 === 0
            ? one.db.transaction((trx) => sealOf(one, id, trx))
            : sealOf(n % 2 ? one : other, id),
        ),
      );
      const sealed = seals.map((seal, n) => seal.close(`text ${n}`, "a"));
      const read = await findSeal(other, id);
      expect(sealed.map((text) => read?.open(text, "a"))).toEqual(seals.map((_, n) => `text ${n}`));
    }
    for (const services of new Set([one, other])) await closeServices(services);
  });

  test("goes with the account: even a copy of its rows is unreadable then", async () => {
    const place = await fresh();
    const services = await servicesAt(place);
    const { student, first } = await writingStudent(services, "sent words", "typed words");
    const [copy] = await services.db.write.selectFrom("progress").selectAll().execute();
    const profile = await services.db.write
      .selectFrom("profiles")
      .selectAll()
      .where("id", "=", student.id)
      .executeTakeFirstOrThrow();
    await services.db.write.deleteFrom("profiles").where("id", "=", student.id).execute();
    expect(await services.db.write.selectFrom("journalKeys").selectAll().execute()).toEqual([]);
    // The account put back from a copy has another key.
    await services.db.write.insertInto("profiles").values(profile).execute();
    const seal = await sealOf(services, student.id);
    const stolen = copy?.journalAnswer ?? "";
    expect(stolen).toMatch(/^s1\./);
    expect(() => seal.open(stolen, `progress:${first}`)).toThrow(CannotOpen);
    await closeServices(services);
  });

  test("of someone else opens nothing, nor does a row in another's place", async () => {
    const services = await servicesAt(await fresh());
    const one = await writingStudent(services, "of one", "typed");
    const other = await writingStudent(services, "of the other", "typed");
    const text = async (userId: string) =>
      (
        await services.db.write
          .selectFrom("progress")
          .select("journalAnswer")
          .where("userId", "=", userId)
          .executeTakeFirstOrThrow()
      ).journalAnswer ?? "";
    const seal = await sealOf(services, one.student.id);
    const [own, hers] = [await text(one.student.id), await text(other.student.id)];
    expect(seal.open(own, `progress:${one.first}`)).toContain("of one");
    for (const [sealed, place] of [
      [hers, `progress:${other.first}`],
      [hers, `progress:${one.first}`],
      [own, `progress:${one.second}`],
    ] as const)
      expect(() => seal.open(sealed, place)).toThrow(CannotOpen);
    await closeServices(services);
  });
});

describe("a start", { timeout: 120_000 }, () => {
  test("without the key of what is sealed stops with one line, and makes no other", async () => {
    const place = await fresh();
    const userId = await written(place);
    const file = path.join(place.dataDir, "journal-key");
    const kept = isFolder(place) ? readFileSync(file, "utf8") : "";
    if (isFolder(place)) rmSync(file);
    const wrong: Record<string, string> = isFolder(place)
      ? {}
      : { AUTH_SECRET: "another-secret-".repeat(4) };
    const { code, err } = await startOf(place, wrong);
    expect([code, err.trim().split("\n").length]).toEqual([1, 1]);
    expect(err).toMatch(
      isFolder(place) ? /^DATA_DIR: .*journal-key back/ : /^JOURNAL_KEY: .*AUTH_SECRET/,
    );
    expect(existsSync(file)).toBe(false);
    const other = await startOf(place, { ...wrong, JOURNAL_KEY: newKey() });
    expect(other).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^JOURNAL_KEY: .*PREVIOUS/),
    });
    if (isFolder(place)) writeFileSync(file, kept);
    await expectReadable(place, userId);
  });

  test.runIf(hasKeyFile)("with a damaged key file says so", async () => {
    const place = await fresh();
    await written(place);
    const file = path.join(place.dataDir, "journal-key");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, "short");
    const { code, err } = await startOf(place);
    expect([code, err.trim().split("\n").length]).toEqual([1, 1]);
    expect(err).toMatch(/^DATA_DIR: .*journal-key is damaged/);
    expect(readFileSync(file, "utf8")).toBe("short");
  });
});

describe("npm run journal:rotate", { timeout: 120_000 }, () => {
  const rowsOf = async (place: Place, more: Record<string, string> = {}) => {
    const services = await servicesAt(place, more);
    const rows = await services.db.write.selectFrom("journalKeys").selectAll().execute();
    await closeServices(services);
    return rows;
  };

  test("moves everybody to JOURNAL_KEY, and from there to the next one, beside a running site", async () => {
    const place = await fresh();
    const userId = await written(place);
    const [first, next] = [newKey(), newKey()];
    const running = await servicesAt(place, { JOURNAL_KEY: first });
    expect(await openedJournal(running, userId)).toHaveLength(1);
    const before = await rowsOf(place, { JOURNAL_KEY: first });
    await ran({ ...place.env, JOURNAL_KEY: first }, "journal:rotate");
    const after = await rowsOf(place, { JOURNAL_KEY: first });
    expect(after[0]?.wrappedKey).not.toBe(before[0]?.wrappedKey);
    const { student } = await writingStudent(running, "while it runs", "typed words");
    expect(await openedJournal(running, userId)).toHaveLength(1);
    await closeServices(running);
    const env = { JOURNAL_KEY: next, JOURNAL_KEY_PREVIOUS: first };
    await ran({ ...place.env, ...env }, "journal:rotate");
    await expectReadable(place, userId, { env: { JOURNAL_KEY: next } });
    const services = await servicesAt(place, { JOURNAL_KEY: next });
    expect(await openedJournal(services, student.id)).toMatchObject([
      { answers: said("while it runs") },
    ]);
    await closeServices(services);
    const again = await refused({ ...place.env, JOURNAL_KEY: next }, "journal:rotate");
    expect(again).toMatch(/^Everything is sealed with JOURNAL_KEY/);
    expect((await startOf(place, { JOURNAL_KEY: first })).code).toBe(1);
  });

  test("broken off in the middle loses nothing; the next run finishes", async () => {
    const place = await fresh();
    const services = await servicesAt(place);
    const people: string[] = [];
    for (let n = 0; n < 5; n += 1)
      people.push((await writingStudent(services, "sent words", "typed words")).student.id);
    await closeServices(services);
    const more: Record<string, string> = isFolder(place) ? {} : { JOURNAL_KEY: newKey() };
    const rotating = await servicesAt(place, more);
    const { db } = rotating;
    const failing = {
      ...rotating,
      db: {
        ...db,
        transaction: (async (work) => {
          return db.transaction(async (trx) => {
            await work(trx);
            throw new Error("power cut");
          });
        }) as typeof db.transaction,
      },
    };
    await expect(rotateKeys(failing)).rejects.toThrow("power cut");
    await closeServices(rotating);
    for (const id of people) await expectReadable(place, id, { env: more });
    await ran({ ...place.env, ...more }, "journal:rotate");
    for (const id of people) await expectReadable(place, id, { env: more });
    if (isFolder(place))
      expect(readFileSync(path.join(place.dataDir, "journal-key"), "utf8").trim()).toMatch(/^\S+$/);
    const rows = await rowsOf(place, more);
    expect(new Set(rows.map(({ masterId }) => masterId)).size).toBe(1);
  });

  test.runIf(hasKeyFile)(
    "makes a new key where DATA_DIR has it, and forgets the one before; the site goes on",
    async () => {
      const place = await fresh();
      const userId = await written(place);
      const running = await servicesAt(place);
      const file = path.join(place.dataDir, "journal-key");
      const before = readFileSync(file, "utf8");
      await ran(place.env, "journal:rotate");
      expect(readFileSync(file, "utf8")).not.toContain(before.trim());
      expect(await openedJournal(running, userId)).toMatchObject([{ answers: said("sent words") }]);
      const late = await writingStudent(running, "sent words", "typed words");
      await closeServices(running);
      for (const id of [userId, late.student.id]) await expectReadable(place, id);
      writeFileSync(file, before);
      expect((await startOf(place)).code).toBe(1);
    },
  );
});
