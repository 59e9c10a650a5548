import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { changeCourseFields } from "~/features/courses/courses.server.ts";
import { deleteDrafts } from "~/features/pages/drafts.server.ts";
import {
  type EditedPage,
  findVersionContent,
  getEditedPage,
  getPublishedContent,
  publishedNumber,
} from "~/features/pages/pages.server.ts";
import { publishContent, requireShown } from "~/features/pages/publish.server.ts";
import { fieldsOf } from "~/features/pages/rules.ts";
import type { ShownState } from "~/features/pages/schema.ts";
import { problemsOf, renderPage } from "~/features/pages/words.server.ts";
import type { Query } from "~/platform/db/database.ts";
import { lockId } from "~/platform/db/locks.ts";
import type { Services } from "~/platform/http/services.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { atLocalTime } from "~/platform/time/morning.ts";
import { Refused } from "~/platform/utils/errors.ts";
import type { Content } from "~content/fields.ts";
import { releaseMessages, releaseTitle } from "./messages.ts";
import {
  addPage,
  createRelease,
  findCourseRow,
  getRelease,
  listChanges,
  type ReleaseChange,
} from "./releases.server.ts";
import type { ReleaseState } from "./schema.ts";

type PageChange = Extract<ReleaseChange, { kind: "page" }>;
type CourseChange = Extract<ReleaseChange, { kind: "course" }>;

/** A page with its new words, ready to be written. */
type ReadyPage = {
  change: PageChange;
  page: EditedPage;
  /** The version that the words were made from. */
  number: number;
  content: Content;
  shown: Content;
};

/** Publishes everything in a release in one transaction: all of it becomes public, or nothing.
 * @throws {Refused} conflict where something was changed since, invalid where words cannot be
 * published */
export async function publishRelease(services: Services, id: string): Promise<void> {
  await requireState(services.db.read, id, ["open", "scheduled", "failed"]);
  const changes = await listChanges(services.db.read, id);
  if (changes.length === 0) throw new Refused("invalid", releaseMessages.empty);
  const pages: ReadyPage[] = [];
  for (const change of changes)
    if (change.kind === "page") pages.push(await readyPage(services, change));
  await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, id);
    const { title } = await requireState(trx, id, ["open", "scheduled", "failed"]);
    if (!isDeepStrictEqual(await listChanges(trx, id), changes))
      throw new Refused("conflict", releaseMessages.notOpen);
    for (const change of changes) {
      if (change.kind === "course") await changeCourse(trx, services, change, "after");
      else
        await publishReady(
          trx,
          services,
          id,
          pages.find((one) => one.change === change),
        );
    }
    await setState(trx, services, id, "published");
    await recordAudit(trx, services, { action: "release.published", id, label: title });
  });
  services.wakeWorker();
}

async function requireState(db: Query, id: string, states: readonly ReleaseState[]) {
  const release = await getRelease(db, id);
  if (!states.includes(release.state)) throw new Refused("conflict", releaseMessages.notOpen);
  return release;
}

async function readyPage(services: Services, change: PageChange): Promise<ReadyPage> {
  const page = await getEditedPage(services, change.name);
  const { number, content } = await getPublishedContent(services, page);
  const next: Content = { ...content };
  for (const [field, { before, after }] of Object.entries(change.changes)) {
    const label = `${page.label}, ${fieldsOf(page.kind)[field]?.label ?? field}`;
    if (!isDeepStrictEqual(content[field], before))
      throw new Refused("conflict", releaseMessages.changedSince(label));
    next[field] = after;
  }
  const [problem] = Object.values(await problemsOf(services.db.read, page.kind, next));
  if (problem) throw new Refused("invalid", releaseMessages.pageProblem(page.label, problem));
  return {
    change,
    page,
    number,
    content: next,
    shown: await renderPage(services.db.read, page.kind, next),
  };
}

async function publishReady(
  trx: Query,
  services: Services,
  releaseId: string,
  ready: ReadyPage | undefined,
): Promise<void> {
  if (!ready) throw new Error("a page of a release was not made ready");
  const { change, page, number, content, shown } = ready;
  await lockId(services.db, trx, page.subject);
  if ((await publishedNumber(trx, page.subject)) !== number)
    throw new Refused("conflict", releaseMessages.changedSince(page.label));
  const afterNumber = await publishContent(trx, services, page, { content, shown });
  await deleteDrafts(trx, page.subject, change.drafts);
  await trx
    .updateTable("releaseChanges")
    .set({ beforeNumber: number, afterNumber })
    .where("releaseId", "=", releaseId)
    .where("subject", "=", page.subject)
    .execute();
}

/** Sets the fields of a course from what they were to what they become, or back.
 * @throws {Refused} conflict where one has another value by now */
async function changeCourse(
  trx: Query,
  services: Services,
  { courseId, changes }: CourseChange,
  to: "before" | "after",
): Promise<void> {
  const values = (side: "before" | "after") =>
    Object.fromEntries(Object.entries(changes).map(([field, both]) => [field, both[side]]));
  const change = {
    id: courseId,
    from: values(to === "after" ? "before" : "after"),
    to: values(to),
  };
  if (await changeCourseFields(trx, services, change)) return;
  const course = await findCourseRow(trx, courseId);
  throw new Refused("conflict", inTheWay(to, course?.title ?? "A course that is deleted now"));
}

const inTheWay = (to: "before" | "after", what: string) =>
  to === "after" ? releaseMessages.changedSince(what) : releaseMessages.cannotUndo(what);

/** Takes everything back that a release has published, in one transaction, unless something in it was
 * changed after it. @throws {Refused} conflict */
export async function undoRelease(services: Services, id: string): Promise<void> {
  await requireState(services.db.read, id, ["published"]);
  const changes = await listChanges(services.db.read, id);
  const pages: ReadyPage[] = [];
  for (const change of changes)
    if (change.kind === "page") pages.push(await formerPage(services, change));
  await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, id);
    const { title } = await requireState(trx, id, ["published"]);
    for (const change of changes) {
      if (change.kind === "course") {
        await changeCourse(trx, services, change, "before");
        continue;
      }
      const ready = pages.find((one) => one.change === change);
      if (!ready) throw new Error("a page of a release was not made ready");
      const { page, content, shown } = ready;
      await lockId(services.db, trx, page.subject);
      if ((await publishedNumber(trx, page.subject)) !== change.afterNumber)
        throw new Refused("conflict", releaseMessages.cannotUndo(page.label));
      await publishContent(trx, services, page, { content, shown });
    }
    await setState(trx, services, id, "undone");
    await recordAudit(trx, services, { action: "release.undone", id, label: title });
  });
  services.wakeWorker();
}

async function formerPage(services: Services, change: PageChange): Promise<ReadyPage> {
  const page = await getEditedPage(services, change.name);
  const number = change.beforeNumber ?? 0;
  const content = await findVersionContent(services, page, number);
  if (!content) throw new Refused("conflict", releaseMessages.cannotUndo(page.label));
  return {
    change,
    page,
    number,
    content,
    shown: await renderPage(services.db.read, page.kind, content),
  };
}

async function setState(trx: Query, { clock }: Services, id: string, state: ReleaseState) {
  const now = clock.now();
  const published = state === "published" ? { publishedAt: now } : {};
  await trx
    .updateTable("releases")
    .set({ state, problem: null, dueAt: null, updatedAt: now, ...published })
    .where("id", "=", id)
    .execute();
}

const yearMs = 366 * 24 * 3600_000;

/** The moment of a time that was typed in a zone, '2026-12-01T08:00'. @throws {Refused} invalid */
function readDueTime({ clock }: Services, at: string, timeZone: string): Date {
  const dueAt = atLocalTime(at, timeZone);
  if (!dueAt) throw new Refused("invalid", releaseMessages.timeUnclear);
  const ahead = dueAt.getTime() - clock.now().getTime();
  if (ahead <= 0) throw new Refused("invalid", releaseMessages.timePast);
  if (ahead > yearMs) throw new Refused("invalid", releaseMessages.timeFar);
  return dueAt;
}

/** Publishes the drafts of a page, as they were shown, at a time: a release of the page alone.
 * @returns its id @throws {Refused} as `requireShown` and {@link scheduleRelease} */
export async function schedulePage(
  services: Services,
  page: EditedPage,
  { shown, ...time }: { shown: ShownState; at: string; timeZone: string },
): Promise<string> {
  readDueTime(services, time.at, time.timeZone);
  await requireShown(services, page, shown);
  const id = await createRelease(services, releaseTitle(page.label));
  await addPage(services, id, page.name);
  await scheduleRelease(services, { id, ...time });
  return id;
}

/** Publishes a release at a time in the coach's zone, like '2026-12-01T08:00'.
 * @throws {Refused} invalid, conflict */
export async function scheduleRelease(
  services: Services,
  { id, at, timeZone }: { id: string; at: string; timeZone: string },
): Promise<void> {
  const { db, clock } = services;
  const now = clock.now();
  const dueAt = readDueTime(services, at, timeZone);
  if ((await listChanges(db.read, id)).length === 0)
    throw new Refused("invalid", releaseMessages.empty);
  await db.transaction(async (trx) => {
    await lockId(db, trx, id);
    const { title } = await requireState(trx, id, ["open", "scheduled", "failed"]);
    const scheduled = { state: "scheduled", problem: null, dueAt, updatedAt: now };
    await trx.updateTable("releases").set(scheduled).where("id", "=", id).execute();
    await enqueue(trx, releaseDue, { id, dueAt: dueAt.toISOString() }, { now, dueAt });
    await recordAudit(trx, services, { action: "release.scheduled", id, label: title });
  });
}

/** Back to a release that waits. @throws {Refused} conflict */
export async function unscheduleRelease(services: Services, id: string): Promise<void> {
  await services.db.transaction(async (trx) => {
    await lockId(services.db, trx, id);
    const { title } = await requireState(trx, id, ["scheduled"]);
    await setState(trx, services, id, "open");
    await recordAudit(trx, services, { action: "release.unscheduled", id, label: title });
  });
}

/** The time of a release has come. What stands in the way is written down for the coach. */
export const releaseDue = defineJob({
  kind: "releases.publish",
  label: "Release",
  sendsEmail: false,
  payload: z.object({ id: z.string(), dueAt: z.string() }),
  async run(services, { id, dueAt }) {
    const row = services.db.write.selectFrom("releases").select(["state", "dueAt", "authorId"]);
    const release = await row.where("id", "=", id).executeTakeFirst();
    // It was published, deleted or moved to another time since.
    if (release?.state !== "scheduled" || release.dueAt?.toISOString() !== dueAt) return;
    try {
      await publishRelease(services, id);
    } catch (error) {
      if (!(error instanceof Refused) || error.code === "unavailable") throw error;
      await services.db.write
        .updateTable("releases")
        .set({ state: "failed", problem: error.message, updatedAt: services.clock.now() })
        .where("id", "=", id)
        .where("state", "=", "scheduled")
        .execute();
      services.log.warn({ release: id, code: error.code }, "a release could not be published");
    }
  },
});
