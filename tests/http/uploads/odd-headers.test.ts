import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cleanUpMedia } from "~/features/lesson-media/jobs.server.ts";
import { mostOpen, mostOpenInAll } from "~/features/lesson-media/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse } from "../../support/courses.ts";
import { createPerson } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { beginUpload, metadataOf, sampleFile, type Uploading } from "../../support/uploads.ts";

let site: TestSite;
let to: Uploading;

beforeAll(async () => {
  site = await startSite({ UPLOAD_LIMIT_GB: "0.05" });
  to = await newAdministrator();
});
afterAll(() => site.close());

async function newAdministrator(): Promise<Uploading> {
  const { services, url } = site;
  const course = await createCourse(services, [[{}]]);
  return {
    url,
    cookie: await site.cookieOf(await createPerson(services, { role: "admin" })),
    origin: services.config.appUrl,
    moduleId: course.modules[0]?.id ?? "",
  };
}

/** The headers of a usual upload, changed: null takes one out, a metadata of '+…' is added. */
function headersOf(changed: Record<string, string | null>): Record<string, string> {
  const words = Object.entries(metadataOf(to)).map(
    ([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`,
  );
  const metadata = changed["upload-metadata"];
  if (metadata?.startsWith("+")) words.push(metadata.slice(1));
  const all: Record<string, string | null> = {
    "tus-resumable": "1.0.0",
    "upload-length": "1000",
    ...changed,
    "upload-metadata": metadata?.startsWith("+") ? words.join(",") : (metadata ?? words.join(",")),
  };
  const given = Object.entries(all).filter(([, value]) => value !== null);
  return Object.fromEntries(given) as Record<string, string>;
}

/** Asks with exactly these headers of tus, for what is there or a new upload. */
async function ask(method: string, path: string, headers: Record<string, string>, body?: string) {
  const all = { cookie: to.cookie, origin: to.origin, ...headers };
  const answer = await fetch(new URL(path, site.url), {
    method,
    headers: all,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}

const rowsOf = async () =>
  (await site.services.db.write.selectFrom("uploads").select("id").execute()).length;

describe("POST /uploads", () => {
  test.each<[string, Record<string, string | null>, number]>([
    ["a length that comes later", { "upload-length": null, "upload-defer-length": "1" }, 400],
    ["a length now and later", { "upload-defer-length": "1" }, 400],
    ["another value for 'later'", { "upload-length": null, "upload-defer-length": "0" }, 400],
    ["a part of a file", { "upload-concat": "partial" }, 400],
    [
      "parts to be joined",
      { "upload-length": null, "upload-concat": "final;/uploads/a /uploads/b" },
      400,
    ],
    ["parts to be joined, with a length", { "upload-concat": "final;/uploads/a" }, 400],
    ["joining in words nobody knows", { "upload-concat": "x" }, 400],
    ["no length", { "upload-length": null }, 400],
    ["a length of nothing", { "upload-length": "0" }, 400],
    ["a length of ''", { "upload-length": "" }, 400],
    ["a negative length", { "upload-length": "-1" }, 400],
    ["half a byte", { "upload-length": "1.5" }, 400],
    ["NaN bytes", { "upload-length": "NaN" }, 400],
    ["Infinity bytes", { "upload-length": "Infinity" }, 400],
    ["1e3 bytes", { "upload-length": "1e3" }, 400],
    ["0x10 bytes", { "upload-length": "0x10" }, 400],
    ["two lengths", { "upload-length": "1000, 2000" }, 400],
    ["more than numbers hold", { "upload-length": "9007199254740993" }, 400],
    ["the largest number there is", { "upload-length": "9007199254740991" }, 413],
    ["a number of 400 digits", { "upload-length": "9".repeat(400) }, 400],
    ["metadata that is no base64", { "upload-metadata": "filename ~~~" }, 400],
    ["metadata without values", { "upload-metadata": "filename,kind" }, 400],
    ["metadata of commas", { "upload-metadata": ",,,," }, 400],
    ["metadata twice", { "upload-metadata": "+filename YQ==" }, 400],
    ["metadata of JavaScript's own", { "upload-metadata": "__proto__ YQ==" }, 400],
    ["metadata that is no text", { "upload-metadata": "+x /////w==" }, 201],
    ["metadata of 8 KB", { "upload-metadata": `+x ${"A".repeat(8000)}` }, 201],
    ["another version of tus", { "tus-resumable": "0.2.2" }, 400],
    ["no version of tus", { "tus-resumable": "" }, 412],
    ["a method in its headers", { "x-http-method-override": "DELETE" }, 201],
    ["another protocol before it", { "x-forwarded-proto": "gopher" }, 400],
    ["an offset of its own", { "upload-offset": "-5" }, 400],
    ["a checksum", { "upload-checksum": "sha1 x" }, 201],
  ])("answers %s as a mistake of who asks, or takes it", async (_, changed, status) => {
    const before = await rowsOf();
    const answer = await ask("POST", "/uploads", headersOf(changed));
    expect([answer.status, answer.text]).toEqual([status, expect.any(String)]);
    if (status >= 400) expect(answer.text).not.toBe("");
    expect((await rowsOf()) - before).toBe(status === 201 ? 1 : 0);
  });

  test("says in words why a length that comes later, or parts, are not taken", async () => {
    for (const name of ["upload-defer-length", "upload-concat"]) {
      const odd = { [name]: name === "upload-concat" ? "partial" : "1" };
      const answer = await ask("POST", "/uploads", headersOf({ "upload-length": null, ...odd }));
      expect(answer.text).toBe("An upload begins with its whole length, and is one file.");
    }
  });
});

describe("HEAD, PATCH and DELETE /uploads/*", () => {
  const offset = { "tus-resumable": "1.0.0", "upload-offset": "0" };
  const piece = { ...offset, "content-type": "application/offset+octet-stream" };
  test.each<[string, string, Record<string, string>]>([
    ["PATCH", "no offset", { ...piece, "upload-offset": "" }],
    ["PATCH", "a negative offset", { ...piece, "upload-offset": "-1" }],
    ["PATCH", "an offset beyond the end", { ...piece, "upload-offset": "5000" }],
    ["PATCH", "NaN for an offset", { ...piece, "upload-offset": "NaN" }],
    ["PATCH", "an offset of 400 digits", { ...piece, "upload-offset": "9".repeat(400) }],
    ["PATCH", "another type", { ...piece, "content-type": "text/plain" }],
    ["PATCH", "no type", { ...offset, "content-type": "" }],
    ["PATCH", "a length of its own", { ...piece, "upload-length": "5" }],
    ["PATCH", "a length that comes later", { ...piece, "upload-defer-length": "1" }],
    ["PATCH", "a part of a file", { ...piece, "upload-concat": "partial" }],
    ["PATCH", "a wrong checksum", { ...piece, "upload-checksum": "md5 x" }],
    ["HEAD", "another version of tus", { "tus-resumable": "2.0.0" }],
    ["HEAD", "an odd offset", { ...offset, "upload-offset": "x" }],
    ["DELETE", "another version of tus", { "tus-resumable": "2.0.0" }],
    ["DELETE", "a length", { ...offset, "upload-length": "-1" }],
  ])("%s with %s is no fault of the site's own", async (method, _, headers) => {
    const begun = await beginUpload(to, 1000);
    const path = begun.headers.get("location") ?? "";
    const body = method === "PATCH" ? "abc" : undefined;
    for (const address of [path, `/uploads/${newId()}`, "/uploads/%E0%A4%", "/uploads/a%2Fb%00"]) {
      const { status } = await ask(method, address, headers, body);
      expect([address, status]).toEqual([address, expect.toSatisfy((one) => one < 500)]);
    }
    await ask("DELETE", path, { "tus-resumable": "1.0.0" });
  });
});

describe("an upload that was announced, and has no byte", () => {
  const open = (state: Record<string, unknown> = {}) => beginUpload({ ...to, ...state }, 1000);
  const send = (path: string) =>
    ask(
      "PATCH",
      path,
      {
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
      "abc",
    );
  const isThere = async (path: string) =>
    (await ask("HEAD", path, { "tus-resumable": "1.0.0" })).status === 200;

  test("is forgotten after an hour; one with a byte is not", async () => {
    to = await newAdministrator();
    const [idle = "", sent = ""] = await Promise.all(
      [1, 2].map(async () => (await open()).headers.get("location") ?? ""),
    );
    await send(sent);
    await cleanUpMedia.run(site.services);
    expect([await isThere(idle), await isThere(sent)]).toEqual([true, true]);
    site.clock.forwardDays(1.1 / 24);
    await cleanUpMedia.run(site.services);
    expect([await isThere(idle), await isThere(sent)]).toEqual([false, true]);
  });

  test("keeps no room from others after an hour, nor by a piece without a byte", async () => {
    to = await newAdministrator();
    const { uploads, db } = site.services;
    await db.write.deleteFrom("uploads").execute();
    const { room } = uploads;
    const begun = await open();
    await ask(
      "PATCH",
      begun.headers.get("location") ?? "",
      {
        "tus-resumable": "1.0.0",
        "upload-offset": "0",
        "content-type": "application/offset+octet-stream",
      },
      "",
    );
    // As on a disk that has room for one of the two.
    uploads.room = async () => 1500;
    try {
      expect((await open()).status).toBe(507);
      site.clock.forwardDays(1.1 / 24);
      expect((await open()).status).toBe(201);
    } finally {
      uploads.room = room;
    }
  });

  test(`is one of ${mostOpen} that an administrator may have open, and of ${mostOpenInAll} in all`, async () => {
    site.clock.forwardDays(1);
    await cleanUpMedia.run(site.services);
    to = await newAdministrator();
    const many = Array.from({ length: mostOpen + 5 }, () => open());
    const answers = await Promise.all(many);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(mostOpen);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused?.status).toBe(507);
    expect(await refused?.text()).toMatch(/unfinished uploads/);
    // Another one has uploads of their own, until there are too many for all.
    let taken = 0;
    for (let others = 0; others < mostOpenInAll / mostOpen; others += 1) {
      const other = await newAdministrator();
      const more = Array.from({ length: mostOpen }, () => open(other));
      taken += (await Promise.all(more)).filter(({ status }) => status === 201).length;
    }
    expect(taken).toBeLessThanOrEqual(mostOpenInAll - mostOpen);
    expect(taken).toBeGreaterThan(mostOpenInAll - 2 * mostOpen);
    // What is finished or cancelled leaves its place.
    const [first] = answers.filter(({ status }) => status === 201);
    await ask("DELETE", first?.headers.get("location") ?? "", { "tus-resumable": "1.0.0" });
    const again = await beginUpload(to, sampleFile("film.mp4").length);
    expect(again.status).toBe(201);
  });
});
