import type { Page } from "@playwright/test";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { goodPassword } from "../../support/accounts.ts";
import { openedDrafts, openedJournal } from "../../support/opened-journal.ts";
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

/** Time travel: the student enrolled that many days earlier. */
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

/** The id of someone who signed up in the browser. */
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

/** Fills in and sends the sign-in form of the page that is open. */
export async function signIn(page: Page, email: string, password = goodPassword): Promise<void> {
  await page.getByLabel("Email", { exact: true }).fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In", exact: true }).click();
}

/** Time travel: a user signed in that many minutes ago; ten are the limit of what is not asked again. */
export async function ageSessions({ db }: Services, userId: string, minutes = 11): Promise<void> {
  const createdAt = new Date(Date.now() - minutes * 60_000);
  await db.write.updateTable("sessions").set({ createdAt }).where("userId", "=", userId).execute();
}

/** Another user signs in on this browser in another tab, in place of the one before. */
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

/** Lets a user sign in with this password. */
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

/** A draft of so many days ago on the server, in the first box of a lesson. */
export async function leaveDraft(
  services: Services,
  userId: string,
  lessonSlug: string,
  words: string,
  days = 7,
): Promise<void> {
  const { id: lessonId, prompts } = await services.db.read
    .selectFrom("lessons")
    .select(["id", "prompts"])
    .where("slug", "=", lessonSlug)
    .executeTakeFirstOrThrow();
  const answers = [{ question: prompts?.[0]?.question ?? "", answer: words }];
  const draft = { userId, lessonId, draftId: newId(), revision: 1, answers };
  await saveDraft(services, { ...draft, agoMs: days * dayMs });
}
