import type { TestCourse, TestLesson } from "./courses.ts";
import type { Asking, TestSite } from "./site.ts";

/** The lesson of a test course, by module and place. */
export function lessonOf(course: TestCourse, module: number, place: number): TestLesson {
  const lesson = course.modules[module]?.lessons[place];
  if (!lesson) throw new Error(`the course has no lesson ${module}.${place}`);
  return lesson;
}

type Sending = { answers?: string[]; questions?: string[]; draftId?: string; lessonKey?: string };

/** What the player's form sends, as a browser does without scripts. */
export function journalForm(lessonId: string, sending: Sending = {}): [string, string][] {
  const { answers = [], questions = [], draftId } = sending;
  return [
    ["lessonId", lessonId],
    ...(draftId ? [["drafts", `${draftId}:1`] as [string, string]] : []),
    ...answers.flatMap((answer, index): [string, string][] => [
      ["question", questions[index] ?? `Question ${index + 1}`],
      ["answer", answer],
    ]),
  ];
}

/** Presses 'Mark as Complete'. */
export function complete(
  site: Pick<TestSite, "ask">,
  as: Asking["as"],
  course: TestCourse,
  lesson: Pick<TestLesson, "id">,
  sending: Sending = {},
): Promise<Response> {
  const query = sending.lessonKey ? `?lesson=${sending.lessonKey}` : "";
  return site.ask(`/courses/${course.slug}/learn${query}`, {
    as,
    multipart: journalForm(lesson.id, sending),
  });
}

/** Keeps a draft, as the page does while someone types. */
export function keepDraft(
  site: Pick<TestSite, "ask">,
  as: Asking["as"],
  course: TestCourse,
  draft: {
    draftId: string;
    lessonId: string;
    revision?: number;
    answers?: string[];
    absorbed?: { id: string; revision: number }[];
    agoMs?: number;
  },
): Promise<Response> {
  const { answers = [], revision = 1, ...ids } = draft;
  const said = answers.map((answer, index) => ({ question: `Question ${index + 1}`, answer }));
  return site.ask(`/courses/${course.slug}/learn/draft`, {
    as,
    method: "PUT",
    json: { ...ids, revision, answers: said },
  });
}

/** As many prompts as asked for, 'Question 1' and so on. */
export function prompts(count: number) {
  return Array.from({ length: count }, (_, index) => ({
    question: `Question ${index + 1}`,
    placeholder: "",
  }));
}
