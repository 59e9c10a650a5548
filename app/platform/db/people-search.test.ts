import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServices } from "../../../tests/support/services.ts";
import { newId } from "./ids.ts";
import { findPeople, isAmong } from "./people-search.ts";
import { hasBeginnings, searchWords } from "./search.ts";

const people = {
  ann: { name: "Ann Lee", email: "first@one.example" },
  anna: { name: "Anna-Lena Müller", email: "anna@two.example" },
  annika: { name: "X", email: "annika@three.example" },
  rené: { name: "René d’Arc", email: "rd+x@mail.example" },
  decomposed: { name: "Zoe\u0308 O'Neill", email: "zoe_oneill@mail.example" },
  жанна: { name: "Жанна Д", email: "zh@mail.example" },
  李: { name: "李小龙 Bruce", email: "bruce@mail.example" },
  sign: { name: '"*:-()^ 🙂Sunny🙂', email: "50.percent%off@mail.example" },
  long: { name: "L".repeat(100), email: `${"m".repeat(60)}@long.example` },
};
type Who = keyof typeof people;
const all = Object.keys(people) as Who[];

let test$: Awaited<ReturnType<typeof openTestServices>>;
const ids = {} as Record<Who, string>;
beforeAll(async () => {
  test$ = await openTestServices();
  for (const who of all) ids[who] = await add(people[who]);
});
afterAll(() => test$.close());

async function add(person: { name: string; email: string }) {
  const id = newId();
  const now = test$.clock.now();
  await test$.services.db.write
    .insertInto("profiles")
    .values({ id, ...person, emailVerified: true, role: "student", createdAt: now, updatedAt: now })
    .execute();
  return id;
}

async function found(search: string): Promise<Who[]> {
  const ids$ = (await findPeople(test$.services.db, search))?.ids ?? [];
  return all.filter((who) => ids$.includes(ids[who]));
}

const mails: Who[] = ["rené", "decomposed", "жанна", "李", "sign"];
const cases: [string, Who[]][] = [
  ["ann", ["ann", "anna", "annika"]],
  ["ANN", ["ann", "anna", "annika"]],
  ["anna", ["anna"]],
  ["lee", ["ann"]],
  ["ann lee", ["ann"]],
  ["lee ann", ["ann"]],
  ["ann lee nobody", []],
  ["müller", ["anna"]],
  ["muller", ["anna"]],
  ["mull", ["anna"]],
  ["Mu\u0308ller", ["anna"]],
  ["lena", ["anna"]],
  ["anna-lena", ["anna"]],
  ["nna", []],
  ["rene", ["rené"]],
  ["arc", ["rené"]],
  ["zoë", ["decomposed"]],
  ["zoe", ["decomposed"]],
  ["o'neill", ["decomposed"]],
  ["oneill", ["decomposed"]],
  ["жан", ["жанна"]],
  ["ЖАННА", ["жанна"]],
  ["李小", ["李"]],
  ["annika@three", ["annika"]],
  ["@mail.example", mails],
  ["mail", mails],
  ["three.example", ["annika"]],
  ["example", all],
  ["sunny", ["sign"]],
  ["🙂sunny", ["sign"]],
  ["percent%off", ["sign"]],
  ["50", ["sign"]],
  ["l".repeat(100), ["long"]],
  ["m".repeat(70), ["long"]],
];

describe("finds people by the beginnings of words", () => {
  test.each(cases)("%s", async (search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  test("and a row by itself is judged alike", () => {
    for (const [search, expected] of cases) {
      const beginnings = searchWords(search);
      const judged = all.filter((who) =>
        hasBeginnings(`${people[who].name} ${people[who].email}`, beginnings),
      );
      expect([search, judged]).toEqual([search, expected]);
    }
  });
});

test("an empty search finds everyone, one without a letter no one", async () => {
  for (const search of ["", "   "]) expect(await findPeople(test$.services.db, search)).toBeNull();
  for (const search of ["*", "@", '"', "🙂", "--", "'; drop table profiles"])
    expect(await found(search)).toEqual([]);
});

const signs = [...`"*:-^()'\\%_&|!<`, "\ud800"];
test.each([
  ...signs.map((sign) => `ann${sign}`),
  ...signs.map((sign) => `${sign}ann`),
  "ann AND lee OR NOT x NEAR(y)",
  'words : "ann"* + lee',
  "ann':* | 'lee",
  "\ud800\udc00 \ud800",
  "ℌ ² ½ Ⅷ ﬁ ＡＢＣ １２３ ก้ नी \u{1e900}",
  `${'"*'.repeat(49)}ab`,
])("what is typed cannot break the search: %j", async (search) => {
  await found(search);
});

test("the database itself follows each change of a profile", async () => {
  const { db } = test$.services;
  const id = await add({ name: "Quentin", email: "q@elsewhere.example" });
  const is = async (search: string) => (await findPeople(db, search))?.ids?.includes(id);
  expect(await is("quentin")).toBe(true);
  const rename = (name: string) =>
    db.write.updateTable("profiles").set({ name }).where("id", "=", id).execute();
  await rename("Rosalind");
  expect([await is("quentin"), await is("rosalind"), await is("elsewhere")]).toEqual([
    false,
    true,
    true,
  ]);
  await db.write.deleteFrom("profiles").where("id", "=", id).execute();
  expect(await is("rosalind")).toBe(false);
});

describe("where very many match", () => {
  const size = 2400;
  /** Names by number; 1190 to 1199 are on the left and on the right. */
  const nameOf = (n: number) =>
    [
      "Crowd",
      n % 2 ? "Odd" : "Éven",
      n < 1200 ? "Left" : "",
      n >= 1190 ? "Right" : "",
      n % 5 ? "" : "Fifth",
    ].join(" ");
  const numbers = new Map<string, number>();
  beforeAll(async () => {
    const now = test$.clock.now();
    const all = Array.from({ length: size }, (_, n) => ({ id: newId(), n }));
    for (const { id, n } of all) numbers.set(id, n);
    const rows = all.map(({ id, n }) => ({
      ...{ id, name: nameOf(n), email: `n${n}@crowd.example`, role: "student" as const },
      ...{ emailVerified: true, createdAt: now, updatedAt: now },
    }));
    const { write } = test$.services.db;
    for (let from = 0; from < size; from += 100)
      await write
        .insertInto("profiles")
        .values(rows.slice(from, from + 100))
        .execute();
  });

  test.each<[string, (n: number) => boolean, boolean | null]>([
    ["crowd", () => true, true],
    ["crowd example", () => true, true],
    ["left", (n) => n < 1200, true],
    ["left crowd", (n) => n < 1200, true],
    ["even crowd", (n) => n % 2 === 0, true],
    ["fifth", (n) => n % 5 === 0, false],
    ["crowd fifth", (n) => n % 5 === 0, false],
    ["left right", (n) => n >= 1190 && n < 1200, false],
    ["crowd right even left", (n) => n >= 1190 && n < 1200 && n % 2 === 0, false],
    ["left even", (n) => n < 1200 && n % 2 === 0, null],
    ["left right nobody", () => false, false],
    ["crowd n17", (n) => String(n).startsWith("17"), false],
  ])(
    "%s: few are named, many filtered row by row, always the same people",
    async (search, is, filtered) => {
      const { db } = test$.services;
      const people$ = await findPeople(db, search);
      if (filtered !== null) expect(people$?.filter !== undefined).toBe(filtered);
      const everybody = db.read.selectFrom("profiles").select("id");
      const some = people$?.filter ?? isAmong(db, "profiles.id", people$?.ids ?? []);
      const rows = await everybody.where(some).execute();
      const found = rows.map(({ id }) => numbers.get(id) ?? -1).sort((a, b) => a - b);
      expect(found).toEqual(Array.from({ length: size }, (_, n) => n).filter(is));
    },
  );
});
