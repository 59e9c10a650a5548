import { listDraftRows } from "~/features/drafts/drafts.server.ts";
import { type CourseAccess, getOutline } from "~/features/enrollments/access.server.ts";
import {
  initialLesson,
  lessonButtons,
  lessonByKey,
  lessonKeys,
  lessonsInOrder,
  percent,
} from "~/features/enrollments/lesson-order.ts";
import { type Lesson, type Module, opensAt } from "~/features/enrollments/rules.ts";
import { photographsHtml } from "~/features/journal/components/photographs-html.tsx";
import { openDraft, storageUsed } from "~/features/journal/drafts.server.ts";
import { openerOf, openerWith, progressPlace } from "~/features/journal/encryption.server.ts";
import { unreadableMessage } from "~/features/journal/journal-page-messages.ts";
import { shownPhotograph } from "~/features/journal/photograph-messages.ts";
import { listPhotographs } from "~/features/journal/photographs.server.ts";
import { percentUsed } from "~/features/journal/rules.ts";
import { listFiles } from "~/features/lesson-media/files.server.ts";
import { coversOf } from "~/features/pictures/pictures.server.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Services } from "~/platform/http/services.ts";
import {
  comingDay,
  comingTime,
  dateInWords,
  momentInWords,
  namedUtc,
} from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { findAfterLesson, sayPassedOver } from "./after-lesson.server.ts";
import { showDownloads } from "./downloads.server.ts";
import { completionMessages, playbackMessages } from "./messages.ts";
import { lessonFiles, playableMedia } from "./playback.server.ts";
import type { Edition } from "./schema.ts";

const lessonWithAnswers = compiledOnce((db, of: { userId: string; lessonId: string }) =>
  lessonFiles(db, of.lessonId)
    .leftJoin("progress", (join) =>
      join.onRef("progress.lessonId", "=", "lessons.id").on("progress.userId", "=", of.userId),
    )
    .select(["lessons.contentHtml", "lessons.prompts", "progress.journalAnswer"])
    .select("progress.createdAt as completedAt"),
);

/** A lesson with the student's answers, drafts and positions; the lesson's row is read once. Only
 * for lessons that the outline reports as open. */
export async function getLessonContent(
  services: Services,
  { userId, lessonId, edition }: { userId: string; lessonId: string; edition: Edition },
) {
  const { db } = services;
  const [lesson, sealedDrafts, used, files, photographs] = await Promise.all([
    lessonWithAnswers(db.read, { userId, lessonId }).then(([row]) => row),
    listDraftRows(db.read, { kind: "journal", userId, lessonId }),
    storageUsed(db.read, userId),
    listFiles(db.read, lessonId),
    listPhotographs(db.read, { userId, lessonId }),
  ]);
  if (!lesson) throw new Refused("not_found", playbackMessages.noLesson);
  const { contentHtml, prompts, journalAnswer, completedAt } = lesson;
  const isWritten = journalAnswer !== null || sealedDrafts.length > 0;
  // The key after the text: a student who has some also has a key.
  const [open, media] = await Promise.all([
    isWritten ? openerOf(services, userId) : openerWith(services, userId, null),
    playableMedia(services, { userId, lessonId, edition }, lesson),
  ]);
  const answers = open(progressPlace(lessonId), journalAnswer);
  return {
    html: contentHtml,
    prompts: prompts ?? [],
    completedAt,
    media,
    files,
    room: percentUsed(used),
    answers: answers ?? [],
    photographs,
    unreadable: answers === null && unreadableMessage(services.content.site.email),
    drafts: sealedDrafts
      .map((draft) => openDraft(open, lessonId, draft))
      .filter((draft) => !draft.unreadable),
  };
}

const coursesOf = compiledOnce((db, { userId }: { userId: string }) =>
  db
    .selectFrom("enrollments")
    .innerJoin("products", "products.id", "enrollments.productId")
    .leftJoin("modules", (join) =>
      join.onRef("modules.productId", "=", "products.id").on("modules.deletedAt", "is", null),
    )
    .leftJoin("lessons", (join) =>
      join.onRef("lessons.moduleId", "=", "modules.id").on("lessons.deletedAt", "is", null),
    )
    .leftJoin("progress", (join) =>
      join
        .onRef("progress.lessonId", "=", "lessons.id")
        .onRef("progress.userId", "=", "enrollments.userId"),
    )
    .select(["products.id", "products.slug", "products.title", "products.description"])
    .select(["products.coverId", "products.coverAlt"])
    .select(({ fn }) => [
      fn.count<number>("lessons.id").as("total"),
      fn.count<number>("progress.lessonId").as("completed"),
    ])
    .where("enrollments.userId", "=", userId)
    .where("products.deletedAt", "is", null)
    .groupBy(["enrollments.id", "products.id"])
    .orderBy("enrollments.createdAt", "desc")
    .orderBy("enrollments.id", "desc"),
);

/** The student's courses with progress, newest enrollment first (spec 2, /my-courses). */
export async function listMyCourses({ db }: Services, userId: string) {
  const rows = await coversOf(db.read, await coursesOf(db.read, { userId }));
  return rows.map(({ total, completed, ...course }) => ({
    ...course,
    percent: percent(Number(completed), Number(total)),
  }));
}

export type MyCourse = Awaited<ReturnType<typeof listMyCourses>>[number];

type Asked = {
  userId: string;
  course: CourseAccess & { enrolledAt: Date };
  /** From the URL; null for the first lesson to show. */
  key: string | null;
  /** A draft to restore into the form, instead of the newest. */
  draftId: string | null;
  timeZone: string;
  edition: Edition;
};

/** Everything that the lesson player shows (spec 2, Lesson player). */
export async function getPlayer(services: Services, asked: Asked) {
  const { userId, course, key, timeZone } = asked;
  const { enrolledAt } = course;
  const outline = await getOutline(services, { userId, productId: course.id, enrolledAt });
  const lessons = lessonsInOrder(outline);
  const lesson = key === null ? initialLesson(outline) : lessonByKey(outline, key);
  const keyOf = lessonKeys(outline);
  const now = services.clock.now();
  const completed = lessons.filter(({ isCompleted }) => isCompleted).length;
  return {
    course: { slug: course.slug, title: course.title },
    percent: percent(completed, lessons.length),
    // Sent with each page: nothing that the list does not show.
    modules: outline.map(({ id, title, lessons }) => ({
      ...{ id, title },
      lessons: lessons.map((entry) => ({
        ...{ key: keyOf(entry), title: entry.title, day: entry.dripDay },
        state: stateOf(entry),
        opens: entry.isLocked ? comingDay(opensAt(entry.dripDay, enrolledAt), now, timeZone) : null,
      })),
    })),
    lesson: lesson && (await showLesson(services, asked, outline, lesson)),
  };
}

const openedBefore = compiledOnce((db, of: { userId: string; lessonId: string }) =>
  db
    .selectFrom("lessonViews")
    .select("createdAt")
    .where("userId", "=", of.userId)
    .where("lessonId", "=", of.lessonId),
);

/** Stores when a student first opened a lesson, once; the page does not wait for it. */
function noteOpened(services: Services, of: { userId: string; lessonId: string }): void {
  const { db, clock, log } = services;
  const store = async () => {
    if ((await openedBefore(db.read, of)).length > 0) return;
    await db.unsynced((own) =>
      own
        .insertInto("lessonViews")
        .values({ ...of, createdAt: clock.now() })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
  };
  store().catch((error: unknown) =>
    log.warn({ err: error }, "that a lesson was opened could not be written down"),
  );
}

function stateOf({ isLocked, isCompleted }: Lesson): "locked" | "completed" | "open" {
  if (isLocked) return "locked";
  return isCompleted ? "completed" : "open";
}

export type Player = Awaited<ReturnType<typeof getPlayer>>;
export type ShownLesson = NonNullable<Player["lesson"]>;
export type OpenLesson = Extract<ShownLesson, { state: "open" }>;

async function showLesson(services: Services, asked: Asked, outline: Module[], lesson: Lesson) {
  const { userId, course, draftId, timeZone } = asked;
  const now = services.clock.now();
  const { id, title, isCompleted } = lesson;
  const keyOf = lessonKeys(outline);
  const { previous, next, passedOver, completeModule } = lessonButtons(outline, lesson);
  const opens = ({ dripDay }: Lesson) =>
    comingTime(opensAt(dripDay, course.enrolledAt), now, timeZone);
  // Opened without a lesson in its address, and nothing that is open is left to do.
  const isDone = asked.key === null && isCompleted;
  const after = isDone || !next ? await findAfterLesson(services, asked, outline, lesson) : null;
  const shown = {
    ...{ id, title, key: keyOf(lesson), isDone, after },
    previousKey: previous && keyOf(previous),
    nextKey: next && keyOf(next),
    passedOver: sayPassedOver(passedOver.map((one) => ({ ...one, opens: opens(one) }))),
  };
  // Of a locked lesson, nothing but the title leaves the server.
  if (lesson.isLocked) return { ...shown, state: "locked" as const, opens: opens(lesson) };
  // A preview has no user.
  if (userId) noteOpened(services, { userId, lessonId: id });
  const { drafts, completedAt, files, photographs, ...content } = await getLessonContent(services, {
    userId,
    lessonId: id,
    edition: asked.edition,
  });
  const askedDraft = drafts.find((draft) => draft.id === draftId);
  const inWords = (date: Date) => momentInWords(date, now, timeZone);
  const day = (date: Date) => namedUtc(dateInWords(date, timeZone), timeZone);
  const own = {
    ...{ userId, lessonId: id },
    photographs: photographs.map((photograph) => shownPhotograph(photograph, day)),
  };
  return {
    ...shown,
    ...content,
    files: showDownloads(files, { slug: course.slug, key: shown.key }),
    ...{ state: "open" as const, isCompleted, completeModule },
    photographs: own.photographs,
    photographsHtml: userId ? photographsHtml({ ...own, isAlone: isCompleted }) : "",
    isDraftAsked: askedDraft !== undefined,
    /** Said where answers were sent to a lesson that had been completed elsewhere. */
    completedBefore: askedDraft && completedAt && completionMessages.before(inWords(completedAt)),
    drafts: drafts
      .toSorted((one, other) => Number(other === askedDraft) - Number(one === askedDraft))
      .map(({ id, revision, answers, updatedAt }) => ({
        ...{ id, revision, answers, at: updatedAt.getTime(), when: inWords(updatedAt) },
        absorbed: [],
      })),
  };
}
