import { expect, test } from "vitest";
import { writeIssue } from "../support/issue-sending.ts";
import { adminOfFile } from "../support/people-of-tests.ts";
import { mainOf, readable } from "../support/responses.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();
const admin = adminOfFile(site);

const send = async (body: string) =>
  `/admin/newsletter/issues/${await writeIssue(site.services, { body })}/send`;
const read = async (path: string) => {
  const answer = await site.ask(path, { as: admin });
  return { status: answer.status, text: readable(mainOf(await answer.text())) };
};
const linksOf = async (path: string) =>
  (await site.ask(`${path}.data?links=check`, { as: admin })).text();

test("before an issue goes out: what its words, pictures and length give to look at", async () => {
  const path = await send(
    `We guarantee it.\n\n![](picture:${"0".repeat(8)})\n\n${"word ".repeat(25_000)}`,
  );
  const { status, text } = await read(path);
  expect(status).toBe(200);
  for (const title of ["It says “guarantee”", "A picture has no description", "It is very long"])
    expect(text).toContain(title);
  expect(text).toContain("There is no postal address");
});

test("a text that cannot be made into an email says so, and nothing fails", async () => {
  const path = await send(`${"> ".repeat(2000)}deep`);
  const { status, text } = await read(path);
  expect(status).toBe(200);
  expect(text).toContain("The text cannot be made into an email");
  expect(await linksOf(path)).not.toContain("Error");
  const tested = await site.ask(path, { as: admin, form: { intent: "test" } });
  expect(tested.status).toBe(303);
  const preview = await site.ask(path.replace("/send", "/preview?as=phone"), { as: admin });
  expect([preview.status, await preview.text()]).toEqual([
    200,
    expect.stringContaining("The text cannot"),
  ]);
});

test("links that lead nowhere are named, those that cannot be asked are not; too often, none is", async () => {
  const inside = "http://127.0.0.1:9/inside";
  const path = await send(
    `[a](/about) [b](/no-such-page) [c](${inside}) [d](mailto:a@example.com)`,
  );
  const { appUrl } = site.services.config;
  const found = await linksOf(path);
  expect(found).toContain(`${appUrl}/no-such-page`);
  expect(found).not.toContain(inside);
  expect(found).not.toContain(`${appUrl}/about`);
  for (let n = 0; n < 60; n += 1) await linksOf(path);
  expect(await linksOf(path)).not.toContain("no-such-page");
});
