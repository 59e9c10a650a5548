import { describe, expect, test } from "vitest";
import { pathsOpenWhileDeleting } from "~/features/accounts/messages.ts";
import { helpDue } from "~/features/help/help.server.ts";
import help from "~content/help/countries.json" with { type: "json" };
import type { Help } from "~content/schema.ts";
import { checkHelp } from "../../scripts/build/content.ts";
import { site } from "../support/first-edition.ts";
import { learningSite } from "../support/learning-site.ts";
import type { Asking } from "../support/site.ts";

describe("content/help/countries.json", () => {
  const now = new Date("2026-12-01T12:00:00Z");
  const facts = (change: Record<string, unknown> = {}) =>
    ({
      emergencySource: "https://example.com",
      countries: [
        {
          ...{ code: "IE", name: "Ireland", emergency: ["112"], checked: "2026-11-28" },
          lines: [
            {
              ...{ name: "Samaritans", call: "116 123", hours: "Day and night" },
              ...{ languages: ["English"], sources: [{ address: "https://example.com" }] },
              ...change,
            },
          ],
        },
      ],
    }) as unknown as Help;

  test("has at least 40 countries, and is right as it is", () => {
    expect(help.countries.length).toBeGreaterThanOrEqual(40);
    expect(() => checkHelp(help)).not.toThrow();
  });

  test.each([
    [{ call: "one one six" }, "IE.lines.0.call must be a number as it is dialled there"],
    [{ call: "1" }, "IE.lines.0.call must be a number as it is dialled there"],
    [{ call: "0800 12 34" }, "IE has no number like '0800 12 34'"],
    [{ call: undefined }, "IE.lines.0 must have a number to call or to text"],
    [{ text: { to: "50808", words: "TALK" } }, 'IE.lines.0.text Unrecognized key: "words"'],
    [{ sources: undefined }, "IE.lines.0.sources must name where it is from"],
    [{ sources: [] }, "IE.lines.0.sources must name where it is from"],
    [{ sources: [{ address: "a friend" }] }, "sources.0.address must be an address like https"],
    [
      { sources: [{ address: "https://a.example", dated: "2026" }] },
      "must be a month like 2026-11",
    ],
    [{ languages: [] }, "IE.lines.0.languages must name a language"],
    [{ hours: " " }, "IE.lines.0.hours is empty"],
  ])("%j is a mistake", (change, message) => {
    expect(() => checkHelp(facts(), now)).not.toThrow();
    expect(() => checkHelp(facts(change), now)).toThrow(`content/help/countries.json: `);
    expect(() => checkHelp(facts(change), now)).toThrow(message);
  });

  test("a day that has not come, or is none, and a country given twice are mistakes", () => {
    const { countries, ...rest } = facts();
    const with_ =
      (...all: object[]) =>
      () =>
        checkHelp({ ...rest, countries: all } as Help, now);
    const [ireland = {}] = countries;
    expect(with_({ ...ireland, checked: "2026-12-02" })).toThrow(
      "IE.checked is a day that has not come yet",
    );
    expect(with_({ ...ireland, checked: "2026-02-30" })).toThrow(
      "IE.checked must be a day like 2026-11-28",
    );
    expect(with_(ireland, ireland)).toThrow("countries has a country twice");
    expect(with_({ ...ireland, emergency: [] })).toThrow(
      "IE.emergency must have an emergency number",
    );
  });
});

const kit = learningSite([[{}]]);
const dublin = { cookie: "tz=Europe%2FDublin" };
const asked = async (at: string, asking: Asking = {}) => (await kit.site.ask(at, asking)).text();
const near = /<h2 id="near"[^>]*>([^<]*)</;

describe("GET /help", () => {
  test("has each country with its numbers as links, languages, hours, sources and day", async () => {
    const html = await asked("/help");
    for (const { code, lines } of help.countries) {
      expect(html).toContain(`<h2 id="${code.toLowerCase()}"`);
      expect(html).toContain(`href="#${code.toLowerCase()}"`);
      for (const { call, sources } of lines) {
        if (call) expect(html).toContain(`href="tel:${call.replaceAll(" ", "")}">${call}<`);
        for (const { address } of sources.slice(0, 1))
          expect(html).toContain(new URL(address).hostname.replace(/^www\./, ""));
      }
    }
    expect(html).toContain('href="sms:50808">Text TALK to 50808<');
    expect(html).toContain("November 28, 2026");
    expect(html).toContain(site.crisisAddress);
  });

  test("is one page for everybody, until a browser or an account names a time zone", async () => {
    const first = await kit.site.ask("/help");
    expect(first.headers.get("cache-control")).toContain("public");
    expect(await first.text()).not.toMatch(near);
    const zoned = await kit.site.ask("/help", { headers: dublin });
    expect(zoned.headers.get("cache-control")).toContain("private");
    expect(near.exec(await zoned.text())?.[1]).toBe("Ireland");
    for (const cookie of ["tz=Mars%2FBase", "tz=Etc%2FUTC", "theme=dark"])
      expect(await asked("/help", { headers: { cookie } })).not.toMatch(near);
    expect(await asked("/help")).not.toMatch(near);

    const { id } = kit.student;
    await kit.site.services.db.write
      .updateTable("profiles")
      .set({ timeZone: "Asia/Kolkata" })
      .where("id", "=", id)
      .execute();
    const own = await asked("/help", { as: kit.student });
    expect(near.exec(own)?.[1]).toBe("India");
    expect(own).not.toContain("/assets/entry.client");
  });

  test("is linked in the footer, on the 404 page, and open while an account is being deleted", async () => {
    for (const at of ["/", "/about", "/no/such/page", "/auth", "/my-courses/journal"])
      expect(await asked(at, { as: at === "/auth" ? null : kit.student })).toMatch(
        /<footer.*<a[^>]* href="\/help">Help now</s,
      );
    expect((await asked("/no/such/page")).match(/href="\/help"/g)).toHaveLength(2);
    expect(pathsOpenWhileDeleting).toContain("/help");
  });
});

test.each([
  ["player", () => kit.learn()],
  ["journal", () => "/my-courses/journal"],
])("the %s holds the numbers of the student's country, to be read offline", async (_, at) => {
  const unknown = await asked(at(), { as: kit.student });
  expect(unknown).toContain("Call your local emergency number");
  expect(unknown).toContain(site.crisisAddress);
  const known = await asked(at(), { as: kit.student, headers: dublin });
  expect(known).toContain("<summary>Help now</summary>");
  for (const link of ["tel:112", "tel:116123", "sms:50808", "/help"])
    expect(known).toContain(`<a href="${link}"`);
});

test("helpDue: countries whose numbers were checked over 180 days ago, for the coach", async () => {
  const at = (days: number) => new Date(Date.parse("2026-11-28") + days * 24 * 3600_000);
  expect(helpDue(at(180))).toEqual([]);
  expect(helpDue(at(181)).length).toBeGreaterThanOrEqual(40);
});
