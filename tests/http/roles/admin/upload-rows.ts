import { newId } from "~/platform/db/ids.ts";
import { sampleFile } from "../../../support/uploads.ts";
import { at, byRole, type Expected, type Given, type Row, signedOutJson } from "../row.ts";
import { aBegunUpload } from "./thrown-away.ts";

const forbidden = { status: 403, has: ['"forbidden"'] };
const tus = { "tus-resumable": "1.0.0" };

/** Nobody but administrators has any answer from uploads, whatever the method. */
const administrators = (administrator: Expected) =>
  byRole(signedOutJson, forbidden, forbidden, administrator);

/** Something done to an upload that an administrator began. */
const toBegun = (
  method: NonNullable<Row["method"]>,
  expect: Row["expect"],
  rest: { headers?: Record<string, string>; body?: BodyInit } = {},
): Row => ({
  pattern: "/uploads/*",
  what: "one that was begun",
  method,
  ask: async (given) => ({
    path: await aBegunUpload(given),
    ...rest,
    headers: { ...tus, ...rest.headers },
  }),
  expect,
});

const words = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

const beginning = ({ world }: Given, filename: string) => ({
  path: "/uploads",
  headers: {
    ...tus,
    "upload-length": "1000",
    "upload-metadata": words({
      filename,
      kind: "video",
      lessonId: newId(),
      moduleId: world.active.modules[0]?.id ?? "",
    }),
  },
});

export const uploadRows: Row[] = [
  {
    pattern: "/uploads",
    what: "reading",
    ask: at("/uploads"),
    expect: administrators({ status: 405 }),
  },
  {
    pattern: "/uploads",
    what: "a video",
    method: "POST",
    ask: (given) => beginning(given, "film.mp4"),
    expect: administrators({ status: 201, location: /^\/uploads\/[0-9a-f-]{36}$/ }),
  },
  {
    pattern: "/uploads",
    what: "a page",
    method: "POST",
    ask: (given) => beginning(given, "page.html"),
    expect: administrators({ status: 400, has: ["Choose an MP4"] }),
  },
  {
    pattern: "/uploads",
    what: "writing",
    method: "PUT",
    ask: at("/uploads"),
    expect: administrators({ status: 405 }),
  },
  {
    pattern: "/uploads/*",
    what: "reading one",
    ask: () => ({ path: `/uploads/${newId()}` }),
    expect: administrators({ status: 405 }),
  },
  {
    pattern: "/uploads/*",
    what: "cancelling one that is not there",
    method: "DELETE",
    ask: () => ({ path: `/uploads/${newId()}`, headers: tus }),
    expect: administrators({ status: 404, has: ["no longer there"] }),
  },
  {
    pattern: "/uploads",
    what: "what is understood",
    method: "OPTIONS",
    ask: () => ({ path: "/uploads", headers: tus }),
    expect: administrators({ status: 204 }),
  },
  // An answer to HEAD has no words.
  toBegun("HEAD", byRole({ status: 401 }, { status: 403 }, { status: 403 }, { status: 200 })),
  toBegun("PATCH", administrators({ status: 204 }), {
    headers: { "content-type": "application/offset+octet-stream", "upload-offset": "0" },
    body: new Uint8Array(sampleFile("film.mp4")),
  }),
  toBegun("POST", administrators({ status: 405 })),
  toBegun("OPTIONS", administrators({ status: 204 })),
  toBegun("DELETE", administrators({ status: 204 })),
];
