import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hidden, toastOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { keepDraft, lessonOf, prompts } from "../../support/journal.ts";
import {
  journalOf,
  journalPath,
  leave,
  openAnswer,
  said,
  write,
} from "../../support/journal-page.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { startSite, type TestSite } from "../../support/site.ts";

let site: TestSite;
let student: Person;
let course: TestCourse;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());
beforeEach(async () => {
  student = await createPerson(site.services);
  course = await createCourse(site.services, [[{ prompts: prompts(2) }, {}]]);
});

const first = () => lessonOf(course, 0, 0);
const page = () => journalOf(site, student);
const finish = (...answers: string[]) =>
  write(site.services, student, course, [[first(), said(...answers)]]);
const leaveWords = (...answers: string[]) =>
  leave(site.services, student, first(), said(...answers));
const textOf = async (address: string) => {
  const answer = await site.ask(journalPath + address, { as: student });
  return answer.text();
};

/** The form under a draft, with which its words become answers. */
async function keepForm(draftId: string) {
  const html = await textOf("");
  const [, form = ""] =
    [...html.matchAll(/<form([\s\S]*?)<\/form>/g)]
      .map(([whole]) => ["", whole])
      .find(([, text = ""]) => text.includes(`value="draft.${draftId}"`)) ?? [];
  const [version = ""] = hidden(form, "version");
  return {
    form,
    press: (as: Person = student) =>
      site.ask(journalPath, {
        as,
        form: { intent: "keep", target: `draft.${draftId}`, version },
      }),
  };
}

describe("a lesson that was completed with nothing written", () => {
  test("is finished in the journal, the book and the file, whatever was typed afterwards", async () => {
    await finish();
    await leaveWords("typed afterwards");
    for (const address of ["", "/book", ".md"]) {
      const text = await textOf(address);
      expect(text).toContain("typed afterwards");
      expect(text).not.toContain("Not finished");
      expect(text).not.toContain("not sent yet");
      expect(text).not.toContain("Go on in the lesson");
    }
  });

  test("is not in the journal without words", async () => {
    await finish();
    expect(await page()).toContain("Nothing written yet");
    await (await openAnswer(site, student, first())).save("");
    expect(await page()).toContain("Nothing written yet");
  });
});

describe("a draft of a completed lesson", () => {
  test("becomes answers when she says so, to be changed like others", async () => {
    await finish();
    const draftId = await leaveWords("the first", "the second");
    const { form, press } = await keepForm(draftId);
    expect(form).toContain("Keep this in my journal");
    const answer = await press();
    expect(toastOf(answer)?.title).toBe("Your answer is saved.");
    expect(answer.headers.get("location")).toContain(`?lesson=${first().id}`);
    const text = await page();
    expect(text).toContain("1 lesson");
    expect(text).not.toContain("draft");
    const changed = await (await openAnswer(site, student, first(), 1)).save("changed");
    expect(changed.status).toBe(303);
    expect(await page()).toContain("changed");
    expect(toastOf(await press())?.title).toBe("It is not there any more.");
  });

  test("is laid behind what stands there, and replaces nothing", async () => {
    await finish("stands there");
    const draftId = await leaveWords("typed later", "and to the other");
    await (await keepForm(draftId)).press();
    const text = await page();
    expect(text).toContain("stands there\n\ntyped later");
    expect(text).toContain("and to the other");
    expect(text).toContain("1 lesson");
  });

  test("about one answer that is there goes on from it instead", async () => {
    await finish("stands there");
    const draftId = await leaveWords("typed later");
    expect((await keepForm(draftId)).form).toBe("");
    expect(await page()).toContain("Go on with it");
  });

  test("does so on a page of its own, which long answers have pushed it to", async () => {
    const long = "It rained again. ".repeat(5_000);
    await finish(long, long);
    const draftId = await leaveWords("typed later");
    const second = await journalOf(site, student, "?page=2");
    expect(second).toContain("typed later");
    expect(second).not.toContain("It rained again.");
    expect(second).not.toContain("Keep this in my journal");
    expect(second).toContain("Go on with it");
    expect(second).toContain(`?edit=${first().id}.0&draft=${draftId}`);
  });

  test("in which more was written meanwhile is looked at once more", async () => {
    await finish();
    const draftId = await leaveWords("begun");
    const { press } = await keepForm(draftId);
    const more = { draftId, lessonId: first().id, revision: 2, answers: ["begun, and more"] };
    expect((await keepDraft(site, student, course, more)).status).toBe(204);
    expect(toastOf(await press())?.tone).toBe("destructive");
    expect(await page()).toContain("1 draft");
    await (await keepForm(draftId)).press();
    expect(await page()).toContain("begun, and more");
    expect(await page()).not.toContain("1 draft");
  });

  test("is nobody else's to keep, and not before the lesson is completed", async () => {
    await finish();
    const draftId = await leaveWords("hers");
    const other = await createPerson(site.services, { role: "admin" });
    const answer = await (await keepForm(draftId)).press(other);
    expect(toastOf(answer)?.title).toBe("It is not there any more.");
    expect(await journalOf(site, other)).toContain("Nothing written yet");
    const second = lessonOf(course, 0, 1);
    const early = await leave(site.services, student, second, said("not yet"));
    const form = { intent: "keep", target: `draft.${early}`, version: "1" };
    const refused = await site.ask(journalPath, { as: student, form });
    expect(toastOf(refused)?.title).toBe("It is not there any more.");
    expect(await page()).toContain("2 drafts");
  });
});
