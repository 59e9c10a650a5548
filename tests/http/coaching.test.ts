import { afterAll, describe, expect, test } from "vitest";
import { site as content } from "../../content/site.ts";
import { readable } from "../support/answers.ts";
import { startSite, type TestSite } from "../support/site.ts";

const started: TestSite[] = [];
async function applyLinks(env: Record<string, string> = {}) {
  const site = await startSite(env);
  started.push(site);
  const html = readable(await (await site.ask("/coaching")).text());
  return {
    html,
    hrefs: [...html.matchAll(/<a ([^>]*)>Apply<\/a>/g)].map(
      ([, attributes = ""]) => /href="([^"]*)"/.exec(attributes)?.[1],
    ),
  };
}
afterAll(() => Promise.all(started.map((site) => site.close())));

describe("'Apply' leads to", () => {
  test("the form that the content names", async () => {
    const { hrefs, html } = await applyLinks();
    expect(hrefs).toEqual([content.coachingApplicationUrl, content.coachingApplicationUrl]);
    expect(html).toContain(new URL(content.coachingApplicationUrl).host);
  });

  test("the form of COACHING_APPLICATION_URL, whose site is named", async () => {
    const COACHING_APPLICATION_URL = "https://apply.example.org/form?id=7&lang=en";
    const { hrefs, html } = await applyLinks({ COACHING_APPLICATION_URL });
    expect(hrefs).toEqual([COACHING_APPLICATION_URL, COACHING_APPLICATION_URL]);
    expect(html).toContain("apply.example.org.</p>");
    expect(html).not.toContain(new URL(content.coachingApplicationUrl).host);
  });
});
