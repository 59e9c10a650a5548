import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { site as facts, pageTitle } from "~content/site.ts";
import { aboutPng } from "../../../scripts/pictures/palette-png.ts";
import { headOf } from "../../support/head.ts";
import { hers, hidden, indexed, origin } from "./pages.ts";
import { openMetadataSite } from "./world.ts";

let site: Awaited<ReturnType<typeof openMetadataSite>>;
beforeAll(async () => {
  site = await openMetadataSite();
});
afterAll(() => site.close());

const read = async (address: string) => {
  const response = await site.ask(address);
  return { response, head: headOf(await response.text()) };
};

describe.each(indexed)("$path is found, and", ({ path: address, title, image }) => {
  test("says who it is, once", async () => {
    const { response, head } = await read(address);
    expect(response.status).toBe(200);
    expect(head.titles).toEqual([pageTitle(title)]);
    const [description = ""] = head.meta("description");
    expect(description.length).toBeGreaterThan(20);
    expect(description.length).toBeLessThanOrEqual(160);
    expect(head.meta("robots")).toEqual([]);
    expect(head.link("canonical")).toEqual([origin + address]);
    expect(head.names.filter((name) => name !== "theme-color")).toEqual([
      ...new Set(head.names.filter((name) => name !== "theme-color")),
    ]);
  });

  test("has a card for messengers", async () => {
    const { head } = await read(address);
    const [description] = head.meta("description");
    const expected = {
      "og:type": "website",
      "og:site_name": facts.name,
      "og:locale": "en_US",
      "og:title": pageTitle(title),
      "og:description": description,
      "og:url": origin + address,
      "og:image": `${origin}/share/${image}.png`,
      "og:image:type": "image/png",
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": expect.stringMatching(/^“.+”, beside a drawing: .+\.$/),
      "twitter:card": "summary_large_image",
      "twitter:site": facts.social.handle,
      "twitter:image:alt": head.meta("og:image:alt")[0],
    };
    for (const [name, content] of Object.entries(expected))
      expect(head.meta(name), name).toEqual([content]);
  });

  test("whose picture is there, whole and small", async () => {
    const response = await site.ask(`/share/${image}.png`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("image/png");
    const png = Buffer.from(await response.arrayBuffer());
    expect(aboutPng(png)).toMatchObject({ width: 1200, height: 630 });
    expect(png.length).toBeLessThan(60_000);
  });

  test("has one address, whatever was asked", async () => {
    const encoded = address.replace(/.$/, (last) => `%${Buffer.from(last).toString("hex")}`);
    const others = [`${address}?utm_source=letter&lesson=2`, address.toUpperCase(), encoded];
    const found: string[] = [];
    for (const other of address === "/" ? others.slice(0, 2) : others) {
      const { response, head } = await read(other);
      // What is no page under another spelling has no address of its own either.
      if (response.status !== 200) continue;
      found.push(other);
      expect(head.link("canonical"), other).toEqual([origin + address]);
      expect(head.meta("og:url"), other).toEqual([origin + address]);
    }
    expect(found).toContain(others[0]);
  });
});

describe.each(hidden)("$path is not found, and", ({ path: address, title, ...rest }) => {
  test("says so, and has no address that counts", async () => {
    const { response, head } = await read(address);
    expect(response.status).toBe("status" in rest ? rest.status : 200);
    expect(head.titles).toEqual([pageTitle(title)]);
    expect(head.meta("robots")).toEqual(["noindex"]);
    expect(head.link("canonical")).toEqual([]);
    expect(head.meta("og:image")).toEqual([`${origin}/share/default.png`]);
    expect(head.meta("og:url").join()).not.toContain("?");
  });
});

test.each([...hers, "/courses/letters/learn"])("%s is hers, and not found", async (address) => {
  const response = await site.ask(address, { as: site.student });
  const head = headOf(await response.text());
  expect([response.status, response.headers.get("location")]).toEqual([200, null]);
  expect(head.meta("robots")).toEqual(["noindex"]);
  expect(head.titles).toHaveLength(1);
});

test("a page for somebody signed in says the same of itself", async () => {
  const response = await site.ask("/about", { as: site.student });
  const head = headOf(await response.text());
  const anonymous = (await read("/about")).head;
  expect(head.titles).toEqual(anonymous.titles);
  expect(head.names).toEqual(anonymous.names);
});

test("pages that the server makes without React are not found either", async () => {
  const response = await site.ask("/%00");
  expect(response.status).toBe(404);
  expect(headOf(await response.text()).meta("robots")).toEqual(["noindex"]);
});

test("browsers colour their own bars as the page, by day and by night", async () => {
  const tokens = readFileSync(path.join("app", "ui", "styles", "tokens.css"), "utf8");
  const [, light, dark] = /--paper: light-dark\((#\w+), (#\w+)\)/.exec(tokens) ?? [];
  expect((await read("/")).head.meta("theme-color")).toEqual([light, dark]);
});
