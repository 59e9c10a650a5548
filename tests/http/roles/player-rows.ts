import { newId } from "~/platform/db/ids.ts";
import { marks } from "../../support/world.ts";
import {
  byRole,
  completing,
  drafting,
  found,
  type Given,
  get,
  learn,
  noCourse,
  notEnrolled,
  ok,
  page,
  post,
  previewed,
  type Row,
  seeOther,
  signedInAt,
  signedOutJson,
  signInToLearn,
} from "./row.ts";

const lesson = "/courses/:slug/learn";
const draft = `${lesson}/draft`;
const toLesson = /^\/courses\/course-[\w-]+\/learn\?lesson=open#after-lesson$/;
const unenrolled = { status: 403, has: ['"not_enrolled"'] };

const lessons = signedInAt(lesson, found(signInToLearn));
const completions = signedInAt(lesson, 401);
const drafts = signedInAt(draft, signedOutJson);

const worksheets = signedInAt(`${lesson}/worksheet`, found(signInToLearn));
const workbooks = signedInAt(`${lesson}/workbook`, found(signInToLearn));
const sheet = (query: string) => learnAt("/worksheet", query);
const learnAt =
  (at: string, query = "") =>
  ({ world }: Given) =>
    `${learn(world.active.slug)}${at}${query}`;
const withoutLocked = { status: 200, has: ["How was it?"], hasNot: [marks.lockedQuestion] };

export const playerRows: Row[] = [
  worksheets.page(
    "the worksheet of an open lesson",
    [notEnrolled, withoutLocked, ok("How was it?")],
    sheet("?lesson=open"),
  ),
  worksheets.page(
    "the worksheet of a locked lesson",
    [notEnrolled, { status: 403, hasNot: [marks.lockedQuestion] }, ok(marks.lockedQuestion)],
    sheet("?lesson=locked"),
  ),
  worksheets.page("the worksheet of no lesson", [notEnrolled, 404, 404], sheet("?lesson=none")),
  workbooks.page(
    "the workbook",
    [
      notEnrolled,
      { ...withoutLocked, has: ["How was it?", "The locked lesson"] },
      ok(marks.lockedQuestion),
    ],
    learnAt("/workbook"),
  ),
  lessons.page(
    "an active course",
    [
      notEnrolled,
      ok(marks.openText, "/media/course-audio/open/sound.mp3?expires=", "The locked lesson"),
      previewed,
    ],
    ({ world }) => learn(world.active.slug),
  ),
  lessons.page(
    "its locked lesson",
    [
      notEnrolled,
      { status: 403, has: ["This lesson opens on"], hasNot: ["/media/", "<textarea"] },
      ok(marks.lockedText, "Nothing is recorded."),
    ],
    ({ world }) => learn(world.active.slug, "?lesson=locked"),
  ),
  lessons.page("an inactive course", [notEnrolled, ok(marks.openText), previewed], ({ world }) =>
    learn(world.inactive.slug),
  ),
  lessons.page("a deleted course", [noCourse], ({ world }) => learn(world.deleted.slug)),
  page(
    lesson,
    "no course",
    byRole(found("/auth?redirect=/courses/none/learn"), noCourse),
    "/courses/none/learn",
  ),
  post(
    lesson,
    "completing an open lesson",
    byRole(
      { status: 401, has: ["It was."] },
      notEnrolled,
      seeOther(toLesson, "Lesson completed!"),
      403,
    ),
    completing("active", 0),
  ),
  completions.post(
    "completing a locked lesson",
    [notEnrolled, { status: 403, has: ["This lesson is not open yet.", "It was."] }, 403],
    completing("active", 1),
  ),
  completions.post(
    "completing in an inactive course",
    [notEnrolled, seeOther(toLesson, "Lesson completed!"), 403],
    completing("inactive", 0),
  ),
  completions.post("completing in a deleted course", [noCourse], completing("deleted", 0)),
  completions.post(
    "completing a deleted course's lesson from another course's page",
    [notEnrolled, { status: 404, has: ["It was."] }, 404],
    completing("deleted", 0, "active"),
  ),
  get(draft, "reading is no use", 405, ({ world }) => `${learn(world.active.slug)}/draft`),
  drafts.put("saving a draft", [unenrolled, 204], drafting("active", 0)),
  drafts.put(
    "saving a draft in a locked lesson",
    [unenrolled, { status: 403, has: ['"locked"'] }],
    drafting("active", 1),
  ),
  drafts.put("saving a draft in an inactive course", [403, 204], drafting("inactive", 0)),
  drafts.put("saving a draft in a deleted course", [404], drafting("deleted", 0)),
  drafts.post("deleting a draft", [seeOther(/^\/courses\/course-[\w-]+\/learn$/)], ({ world }) => ({
    path: `${learn(world.active.slug)}/draft`,
    form: { draftId: newId() },
  })),
];
