import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { file, photograph, pictureForm, storedPicture } from "../../support/pictures.ts";
import { aCourse } from "./admin/thrown-away.ts";
import {
  adminAt,
  type Given,
  get,
  ok,
  post,
  type Row,
  seeOther,
  signedInAt,
  signedOutJson,
} from "./row.ts";

const lessonOf = ({ world }: Given, course: "active" | "deleted", lesson: 0 | 1) =>
  world[course].modules[0]?.lessons[lesson]?.id ?? "";
const inLesson = (course: "active" | "deleted", lesson: 0 | 1) => async (given: Given) =>
  storedPicture(given.services, lessonOf(given, course, lesson));
const publicAddress = async ({ services }: { services: Services }) => storedPicture(services, null);

const bytes = { status: 200 };
const locked = { status: 403, has: ['"locked"'] };
const notEnrolled = { status: 403, has: ['"not_enrolled"'] };
const missing = { status: 404, has: ['"not_found"'] };
const picture = signedInAt("/lesson-pictures/:name", signedOutJson);

const json = { accept: "application/json" };
const small = await photograph(200, 60, 40);
const sending = (fields: Record<string, string>) => () => ({
  headers: json,
  body: pictureForm({ ...fields, file: file(small) }),
});
const pictures = adminAt("/admin/pictures");

export const pictureRows: Row[] = [
  get("/pictures/*", "a cover", 200, publicAddress),
  get("/pictures/*", "no picture", 404, `/pictures/${"0".repeat(32)}-480.webp`),
  post("/pictures/*", "a form", 404, { path: "/pictures/x", form: {} }),
  picture.get("of an open lesson", [notEnrolled, bytes, bytes], inLesson("active", 0)),
  picture.get("of a locked lesson", [notEnrolled, locked, bytes], inLesson("active", 1)),
  picture.get("of a deleted course", [missing, missing, bytes], inLesson("deleted", 0)),
  picture.get("no picture", [missing], `/lesson-pictures/${newId()}-480.webp`),
  pictures.get("reading", 405),
  pictures.post("a picture of a lesson", ok('"line"'), sending({ use: "lesson", id: newId() })),
  pictures.post("nothing of it", { status: 400, has: ["not clear"] }, { headers: json, form: {} }),
  pictures.post(
    "a cover",
    seeOther(/^\/admin\/courses\//, "Cover picture saved"),
    async (given) => {
      const fields = { use: "cover", intent: "set", id: (await aCourse(given)).id };
      return { body: pictureForm({ ...fields, file: file(small) }) };
    },
  ),
  pictures.post("the portrait", 200, sending({ use: "portrait", intent: "set" })),
  pictures.post("a poster", 200, sending({ use: "poster", intent: "set", id: newId() })),
];
