import { type Given, get, learn, ok, post, type Row, signedInAt, signedOutJson } from "./row.ts";

type Course = "active" | "inactive" | "deleted";

const notEnrolled = { status: 403, has: ['"not_enrolled"'] };
const locked = { status: 403, has: ['"locked"'], hasNot: ["/media/"] };
const missing = { status: 404, has: ['"not_found"'] };
const addresses = ok("/media/course-audio/open/sound.mp3?expires=");
const lockedAddresses = ok("media-of-the-locked-lesson");

const asking =
  (name: "media" | "captions", course: Course, lesson: string) =>
  ({ world }: Given) => ({ path: `${learn(world[course].slug)}/${name}?lesson=${lesson}` });

const placing =
  (course: Course, lesson: 0 | 1, key = "open/sound.mp3") =>
  ({ world }: Given) => ({
    path: `${learn(world[course].slug)}/position`,
    json: {
      lessonId: world[course].modules[0]?.lessons[lesson]?.id,
      kind: "audio",
      key,
      positionMs: 61_000,
    },
  });

const media = signedInAt("/courses/:slug/learn/media", signedOutJson);
const captions = signedInAt("/courses/:slug/learn/captions", signedOutJson);
const positions = "/courses/:slug/learn/position";
const position = signedInAt(positions, signedOutJson);
const placed = ok('"positionMs":61000');

export const playbackRows: Row[] = [
  media.get(
    "an open lesson",
    [notEnrolled, addresses, addresses],
    asking("media", "active", "open"),
  ),
  media.get(
    "a locked lesson",
    [notEnrolled, locked, lockedAddresses],
    asking("media", "active", "locked"),
  ),
  media.get(
    "no lesson of the course",
    [notEnrolled, missing, missing],
    asking("media", "active", "none"),
  ),
  media.get(
    "an inactive course",
    [notEnrolled, addresses, addresses],
    asking("media", "inactive", "open"),
  ),
  media.get("a deleted course", [missing], asking("media", "deleted", "open")),
  media.get("no course", [missing], "/courses/none/learn/media?lesson=open"),
  captions.get(
    "an open lesson without captions",
    [notEnrolled, missing, missing],
    asking("captions", "active", "open"),
  ),
  // Another row gives the lesson other captions.
  captions.get(
    "a locked lesson",
    [notEnrolled, locked, ok("WEBVTT")],
    asking("captions", "active", "locked"),
  ),
  captions.get("a deleted course", [missing], asking("captions", "deleted", "open")),
  get(positions, "reading", 405, "/courses/none/learn/position"),
  post(
    positions,
    "a form",
    { status: 405, has: ["Use PUT."] },
    { path: "/courses/none/learn/position", form: {} },
  ),
  position.put("a place in an open lesson", [notEnrolled, placed], placing("active", 0)),
  position.put(
    "a place in a locked lesson",
    [notEnrolled, locked],
    placing("active", 1, "media-of-the-locked-lesson/sound.mp3"),
  ),
  position.put("a place in an inactive course", [notEnrolled, placed], placing("inactive", 0)),
  position.put("a place in a deleted course", [missing], placing("deleted", 0)),
];
