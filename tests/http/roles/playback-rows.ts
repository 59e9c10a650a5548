import { at, byRole, type Given, learn, type Row, same, signedOutJson } from "./row.ts";

type Course = "active" | "inactive" | "deleted";

const notEnrolled = { status: 403, has: ['"not_enrolled"'] };
const locked = { status: 403, has: ['"locked"'], hasNot: ["/media/"] };
const missing = { status: 404, has: ['"not_found"'] };
const addresses = { status: 200, has: ["/media/course-audio/open/sound.mp3?expires="] };
const lockedAddresses = { status: 200, has: ["media-of-the-locked-lesson"] };

const asking =
  (name: "media" | "captions", course: Course, lesson: string) =>
  ({ world }: Given) => ({
    path: `${learn(world[course].slug)}/${name}?lesson=${lesson}`,
  });

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

const media = "/courses/:slug/learn/media";
const captions = "/courses/:slug/learn/captions";
const position = "/courses/:slug/learn/position";
const placed = { status: 200, has: ['"positionMs":61000'] };

export const playbackRows: Row[] = [
  {
    pattern: media,
    what: "an open lesson",
    ask: asking("media", "active", "open"),
    expect: byRole(signedOutJson, notEnrolled, addresses, addresses),
  },
  {
    pattern: media,
    what: "a locked lesson",
    ask: asking("media", "active", "locked"),
    expect: byRole(signedOutJson, notEnrolled, locked, lockedAddresses),
  },
  {
    pattern: media,
    what: "no lesson of the course",
    ask: asking("media", "active", "none"),
    expect: byRole(signedOutJson, notEnrolled, missing, missing),
  },
  {
    pattern: media,
    what: "an inactive course",
    ask: asking("media", "inactive", "open"),
    expect: byRole(signedOutJson, notEnrolled, addresses, addresses),
  },
  {
    pattern: media,
    what: "a deleted course",
    ask: asking("media", "deleted", "open"),
    expect: byRole(signedOutJson, missing, missing),
  },
  {
    pattern: media,
    what: "no course",
    ask: at("/courses/none/learn/media?lesson=open"),
    expect: byRole(signedOutJson, missing, missing),
  },
  {
    pattern: captions,
    what: "an open lesson without captions",
    ask: asking("captions", "active", "open"),
    expect: byRole(signedOutJson, notEnrolled, missing, missing),
  },
  {
    pattern: captions,
    what: "a locked lesson",
    ask: asking("captions", "active", "locked"),
    // Another row gives the lesson other captions.
    expect: byRole(signedOutJson, notEnrolled, locked, { status: 200, has: ["WEBVTT"] }),
  },
  {
    pattern: captions,
    what: "a deleted course",
    ask: asking("captions", "deleted", "open"),
    expect: byRole(signedOutJson, missing, missing),
  },
  {
    pattern: position,
    what: "reading",
    ask: at("/courses/none/learn/position"),
    expect: 405,
  },
  {
    pattern: position,
    what: "a form",
    method: "POST",
    ask: () => ({ path: "/courses/none/learn/position", form: {} }),
    expect: same({ status: 405, has: ["Use PUT."] }),
  },
  {
    pattern: position,
    what: "a place in an open lesson",
    method: "PUT",
    ask: placing("active", 0),
    expect: byRole(signedOutJson, notEnrolled, placed),
  },
  {
    pattern: position,
    what: "a place in a locked lesson",
    method: "PUT",
    ask: placing("active", 1, "media-of-the-locked-lesson/sound.mp3"),
    expect: byRole(signedOutJson, notEnrolled, locked),
  },
  {
    pattern: position,
    what: "a place in an inactive course",
    method: "PUT",
    ask: placing("inactive", 0),
    expect: byRole(signedOutJson, notEnrolled, placed),
  },
  {
    pattern: position,
    what: "a place in a deleted course",
    method: "PUT",
    ask: placing("deleted", 0),
    expect: byRole(signedOutJson, missing, missing),
  },
];
