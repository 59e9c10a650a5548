import { newId } from "~/platform/db/ids.ts";
import { sampleFile } from "../../../support/uploads.ts";
import {
  byRole,
  del,
  type Expected,
  type Given,
  get,
  head,
  options,
  patch,
  post,
  put,
  type Row,
  signedOutJson,
} from "../row.ts";
import { aBegunUpload } from "./thrown-away.ts";

const forbidden = { status: 403, has: ['"forbidden"'] };
const tus = { "tus-resumable": "1.0.0" };

/** No one but administrators has any answer from uploads, whatever the method. */
const administrators = (administrator: Expected | number) =>
  byRole(signedOutJson, forbidden, forbidden, administrator);

const begun = "one that was begun";

/** Something done to an upload that an administrator began. */
const toBegun =
  (rest: { headers?: Record<string, string>; body?: BodyInit } = {}) =>
  async (given: Given) => ({
    path: await aBegunUpload(given),
    ...rest,
    headers: { ...tus, ...rest.headers },
  });

const words = (fields: Record<string, string>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString("base64")}`)
    .join(",");

const beginning = ({ world }: Given, filename: string, kind = "video") => ({
  path: "/uploads",
  headers: {
    ...tus,
    "upload-length": "1000",
    "upload-metadata": words({
      filename,
      kind,
      lessonId: newId(),
      moduleId: world.active.modules[0]?.id ?? "",
    }),
  },
});

export const uploadRows: Row[] = [
  get("/uploads", "reading", administrators(405)),
  post(
    "/uploads",
    "a video",
    administrators({ status: 201, location: /^\/uploads\/[0-9a-f-]{36}$/ }),
    (given) => beginning(given, "film.mp4"),
  ),
  post(
    "/uploads",
    "a file",
    administrators({ status: 201, location: /^\/uploads\/[0-9a-f-]{36}$/ }),
    (given) => beginning(given, "workbook.pdf", "file"),
  ),
  post(
    "/uploads",
    "a page as a file",
    administrators({ status: 400, has: ["This file cannot be added"] }),
    (given) => beginning(given, "page.html", "file"),
  ),
  post("/uploads", "a page", administrators({ status: 400, has: ["Choose an MP4"] }), (given) =>
    beginning(given, "page.html"),
  ),
  put("/uploads", "writing", administrators(405)),
  get("/uploads/*", "reading one", administrators(405), () => `/uploads/${newId()}`),
  del(
    "/uploads/*",
    "cancelling one that is not there",
    administrators({ status: 404, has: ["no longer there"] }),
    () => ({ path: `/uploads/${newId()}`, headers: tus }),
  ),
  options("/uploads", "what is understood", administrators(204), { headers: tus }),
  // An answer to HEAD has no words.
  head("/uploads/*", begun, byRole(401, 403, 403, 200), toBegun()),
  patch(
    "/uploads/*",
    begun,
    administrators(204),
    toBegun({
      headers: { "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      body: new Uint8Array(sampleFile("film.mp4")),
    }),
  ),
  post("/uploads/*", begun, administrators(405), toBegun()),
  options("/uploads/*", begun, administrators(204), toBegun()),
  del("/uploads/*", begun, administrators(204), toBegun()),
];
