import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import type { TestCourse, TestLesson } from "./courses.ts";
import type { Person } from "./people.ts";
import { hidden, mainOf, readable } from "./responses.ts";
import type { Asking, TestSite } from "./site.ts";

export const journalPath = "/my-courses/journal";
export type Said = { question: string; answer: string };
export const said = (...answers: string[]): Said[] =>
  answers.map((answer, index) => ({ question: `Question ${index + 1}`, answer }));

/** She enrolls and completes lessons with these answers. */
export async function write(
  services: Services,
  { id: userId }: Pick<Person, "id">,
  course: Pick<TestCourse, "id">,
  entries: [Pick<TestLesson, "id">, Said[]][],
): Promise<void> {
  await enroll(services, { userId, productId: course.id });
  for (const [{ id: lessonId }, answers] of entries)
    await completeLesson(services, { userId, lessonId, answers, drafts: [] });
}

/** A draft that she left in a lesson. @returns its id */
export async function leave(
  services: Services,
  { id: userId }: Pick<Person, "id">,
  { id: lessonId }: Pick<TestLesson, "id">,
  answers: Said[],
): Promise<string> {
  const draftId = newId();
  await saveDraft(services, { userId, lessonId, draftId, revision: 1, answers });
  return draftId;
}

/** The page as she reads it, between its header and its footer. */
export async function journalOf(
  site: Pick<TestSite, "ask">,
  as: Asking["as"],
  query = "",
): Promise<string> {
  return readable(mainOf(await (await site.ask(journalPath + query, { as })).text()));
}

/** Opens the form of an answer, in a tab of its own, which then sends what is typed. */
export async function openAnswer(
  site: Pick<TestSite, "ask">,
  as: Person,
  lesson: Pick<TestLesson, "id">,
  at = 0,
) {
  const key = `${lesson.id}.${at}`;
  const html = await (await site.ask(`${journalPath}?edit=${key}`, { as })).text();
  const address = readable(html).match(/action="([^"]*\?edit=[^"]*)"/)?.[1] ?? "";
  const [question = ""] = hidden(html, "question");
  return {
    html,
    save(answer: string, more: [string, string][] = [], who: Asking["as"] = as) {
      const fields: [string, string][] = [
        ["userId", as.id],
        ["lessonId", lesson.id],
        ["question", question],
        ["answer", answer],
      ];
      return site.ask(address, { as: who, multipart: [...fields, ...more] });
    },
  };
}

/** Is asked what is to be deleted, and then says yes. */
export async function openQuestion(site: Pick<TestSite, "ask">, as: Person, target: string) {
  const page = await site.ask(`${journalPath}?delete=${target}`, { as });
  const html = await page.text();
  const [version = ""] = hidden(html, "version");
  return {
    text: readable(
      /<dialog id="delete"[\s\S]*?<\/dialog>|<dialog[^>]*id="delete"[\s\S]*?<\/dialog>/.exec(
        html,
      )?.[0] ?? "",
    ),
    yes: (who: Asking["as"] = as) =>
      site.ask(journalPath, { as: who, form: { intent: "delete", target, version } }),
  };
}
