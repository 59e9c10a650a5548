import type { Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { openedDrafts, openedJournal } from "../../support/opened.ts";
import { cookieOf, createPerson, type Person } from "../../support/people.ts";

const dayMs = 24 * 3600 * 1000;

/** A confirmed account that is enrolled in courses; `days` ago, just now by default. */
export async function createStudent(
  services: Services,
  { courses = ["blue-dot-method"], days = 0 }: { courses?: string[]; days?: number } = {},
): Promise<Person> {
  const student = await createPerson(services);
  for (const slug of courses) {
    const { id: productId } = await services.db.read
      .selectFrom("products")
      .select("id")
      .where("slug", "=", slug)
      .executeTakeFirstOrThrow();
    await enroll(services, { userId: student.id, productId });
  }
  if (days) await letDaysPass(services, student.id, days);
  return student;
}

/** Time travel: the student enrolled that many days earlier than she did. */
export async function letDaysPass(services: Services, userId: string, days: number): Promise<void> {
  const rows = await services.db.read
    .selectFrom("enrollments")
    .select(["id", "createdAt"])
    .where("userId", "=", userId)
    .execute();
  for (const { id, createdAt } of rows)
    await services.db.write
      .updateTable("enrollments")
      .set({ createdAt: new Date(createdAt.getTime() - days * dayMs) })
      .where("id", "=", id)
      .execute();
}

/** The id of somebody who signed up in the browser. */
export async function idOf(services: Services, email: string): Promise<string> {
  const { id } = await services.db.read
    .selectFrom("profiles")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirstOrThrow();
  return id;
}

/** Ends every session of a person, as an administrator or the months would. */
export async function endSessions(services: Services, userId: string): Promise<void> {
  await services.db.write.deleteFrom("sessions").where("userId", "=", userId).execute();
}

/** Somebody signs in on this browser in another tab; whoever was signed in there is not any more. */
export async function takeOver(
  page: Page,
  { services, url }: { services: Services; url: string },
  { id }: Person,
): Promise<void> {
  const [name = "", value = ""] = (await cookieOf(services, id)).split("=");
  await page.context().addCookies([{ name, value, url }]);
}

/** The words of a student's drafts that the server has, newest first. */
export async function draftsOf(services: Services, userId: string): Promise<string[]> {
  const drafts = await openedDrafts(services, userId);
  return drafts.map(({ answers }) => answers.map(({ answer }) => answer).join("|"));
}

/** The journal of each lesson that a student has completed. */
export async function journalsOf(services: Services, userId: string): Promise<(string | null)[]> {
  const journal = await openedJournal(services, userId);
  return journal.map(({ journalAnswer }) => journalAnswer);
}

/** Lets a person sign in with her address and this password. */
export async function givePassword(
  { auth }: Services,
  userId: string,
  password: string,
): Promise<void> {
  const context = await auth.$context;
  await context.internalAdapter.linkAccount({
    userId,
    accountId: userId,
    providerId: "credential",
    password: await context.password.hash(password),
  });
}

/** A draft that she left on the server some time ago, in the first box of a lesson. */
export async function leaveDraft(
  services: Services,
  userId: string,
  lessonSlug: string,
  words: string,
): Promise<void> {
  const { id: lessonId, prompts } = await services.db.read
    .selectFrom("lessons")
    .select(["id", "prompts"])
    .where("slug", "=", lessonSlug)
    .executeTakeFirstOrThrow();
  const answers = [{ question: prompts?.[0]?.question ?? "", answer: words }];
  await saveDraft(services, { userId, lessonId, draftId: newId(), revision: 1, answers });
}
