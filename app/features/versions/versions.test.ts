import { describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { openForTests } from "../../../tests/support/open-for-tests.ts";
import { createPerson } from "../../../tests/support/people.ts";
import { openTestServices } from "../../../tests/support/services.ts";
import { shortened, wholeDifference, wordDifferences } from "./differences.server.ts";
import { findVersion, listVersions, recordVersion, versionSubject } from "./versions.server.ts";

describe("wordDifferences", () => {
  test("marks the words that come and go", () => {
    expect(wordDifferences("Breathe in slowly.", "Breathe out slowly.")).toEqual([
      { kind: "same", text: "Breathe " },
      { kind: "old", text: "in" },
      { kind: "new", text: "out" },
      { kind: "same", text: " slowly." },
    ]);
  });

  test("joins changes with only spaces between them", () => {
    const marked = wordDifferences(
      "Sit down where it is quiet, here.",
      "Sit down where you can, here.",
    );
    expect(marked).toEqual([
      { kind: "same", text: "Sit down where " },
      { kind: "old", text: "it is quiet" },
      { kind: "new", text: "you can" },
      { kind: "same", text: ", here." },
    ]);
  });

  test("shows texts that share little, and values, one after the other", () => {
    const whole = [
      { kind: "old", text: "$197.00\n" },
      { kind: "new", text: "$97.00" },
    ];
    expect(wholeDifference("$197.00", "$97.00")).toEqual(whole);
    expect(wordDifferences("Rain falls all night", "We meet at noon")).toHaveLength(2);
    expect(wholeDifference("", "New")).toEqual([{ kind: "new", text: "New" }]);
  });

  test("compares paragraphs where very many words differ", () => {
    const lines = Array.from({ length: 30 }, (_, at) => at);
    const text = (word: string) =>
      lines
        .map((at) => `${at}: ${"this stays ".repeat(40)}\n${`${word}${at} `.repeat(20)}\n`)
        .join("");
    const kinds = wordDifferences(text("one"), text("two")).map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual(["same", "old", "new", "same"]);
    expect(kinds).toHaveLength(90);
  });

  test("of two long texts leaves out the middle of what they share", () => {
    const long = `${"word ".repeat(1000)}end`;
    const pieces = shortened(wordDifferences(`${long} old`, `${long} new`));
    expect(pieces[0]?.text.length).toBeLessThan(500);
    expect(pieces.slice(1).map(({ kind }) => kind)).toEqual(["old", "new"]);
  });
});

describe("recordVersion", () => {
  const kit = openForTests(openTestServices);
  const all = { cursor: null, limit: 50, timeZone: "UTC" };

  function saver(services = kit.services) {
    const subject = versionSubject("lesson", newId());
    const updatedAt = new Date("2026-03-01T10:00:00Z");
    return {
      subject,
      save: (content: string, before: string | null) =>
        services.db.transaction((trx) =>
          recordVersion(trx, services, {
            ...{ subject, content },
            before: before === null ? null : { content: before, updatedAt },
          }),
        ),
      async list() {
        const { versions } = await listVersions(services, subject, all);
        const found = versions.map(({ number }) => findVersion(services.db.read, subject, number));
        return (await Promise.all(found)).map((one) => one?.content);
      },
    };
  }

  test("numbers what is saved from 1, and nothing that is the same", async () => {
    const { save, list } = saver();
    await save("a", null);
    await save("b", "a");
    await save("b", "b");
    expect(await list()).toEqual(["b", "a"]);
  });

  test("of what was there before the first one comes first, with its time and no author", async () => {
    const coach = await createPerson(kit.services, { role: "admin", name: "Nora" });
    const { save, subject } = saver({ ...kit.services, actor: coach });
    await save("b", "a");
    const { versions } = await listVersions(kit.services, subject, all);
    expect(versions).toMatchObject([
      { number: 2, who: "Nora" },
      { number: 1, who: null, when: expect.stringContaining("Mar 1, 2026") },
    ]);
  });

  test("adds what was changed without a version, so that it can be brought back too", async () => {
    const { save, list } = saver();
    await save("a", null);
    await save("c", "b");
    expect(await list()).toEqual(["c", "b", "a"]);
  });

  test("rolls back with its transaction", async () => {
    const { subject, list } = saver();
    const failing = kit.services.db.transaction(async (trx) => {
      await recordVersion(trx, kit.services, { subject, content: "a", before: null });
      throw new Error("stop");
    });
    await expect(failing).rejects.toThrow("stop");
    expect(await list()).toEqual([]);
  });
});
