import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { journalTooLong } from "~/features/journal/messages.ts";
import { maxAnswerLength } from "~/features/journal/schema.ts";
import { boxes, readable, toastOf } from "../../support/answers.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../../support/journal.ts";
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
  await write(site.services, student, course, [[first(), said("the first", "the second")]]);
});

const first = () => lessonOf(course, 0, 0);
const open = (at = 0) => openAnswer(site, student, first(), at);
const page = (query = "") => journalOf(site, student, query);
const player = async () =>
  readable(
    await (
      await site.ask(`/courses/${course.slug}/learn?lesson=lesson-1-1`, { as: student })
    ).text(),
  );

describe("an answer", () => {
  test("is changed in its place, here and in the lesson, with its question", async () => {
    const form = await open(1);
    expect(boxes(form.html)).toEqual(["the second"]);
    const saved = await form.save("  changed 💙\n\nwith <b>lines</b>  ");
    expect(saved.status).toBe(303);
    expect(toastOf(saved)?.title).toBe("Your answer is saved.");
    expect(saved.headers.get("location")).toBe(
      `${journalPath}?lesson=${first().id}#lesson-${first().id}`,
    );
    const text = await page();
    expect(text).toContain("  changed 💙\n\nwith <b>lines</b>  ");
    expect(text).toContain("the first");
    expect(text).not.toContain("the second");
    expect(await player()).toContain("changed 💙");
  });

  test("that has become another one in a second tab is not overwritten; hers stands beside it", async () => {
    const [one, two] = [await open(), await open()];
    await one.save("from the first tab");
    const refused = await two.save("from the second tab");
    expect(refused.status).toBe(409);
    const html = await refused.text();
    expect(boxes(html)).toEqual(["from the second tab"]);
    expect(readable(html)).toContain("from the first tab");
    expect(readable(html)).toContain("Nothing has been overwritten.");
    expect(await page()).toContain("from the first tab");
  });

  test("can then be replaced on purpose, or both are kept", async () => {
    for (const [choice, expected] of [
      [null, "from the second tab"],
      ["both", "from the first tab\n\nfrom the second tab"],
    ] as const) {
      await (await open()).save("the first");
      const [one, two] = [await open(), await open()];
      await one.save("from the first tab");
      const html = readable(await (await two.save("from the second tab")).text());
      const action = /action="([^"]*\?edit=[^"]*)"/.exec(html)?.[1] ?? "";
      const answer = await site.ask(action, {
        as: student,
        multipart: [
          ["userId", student.id],
          ["lessonId", first().id],
          ["question", "Question 1"],
          ["answer", "from the second tab"],
          ...(choice ? [["choice", choice] as [string, string]] : []),
        ],
      });
      expect(answer.status).toBe(303);
      expect(await page()).toContain(expected);
      if (!choice) expect(await page()).not.toContain("from the first tab");
    }
  });

  test("beside another that is changed at the same time: both are there", async () => {
    const [one, two] = [await open(0), await open(1)];
    const answers = await Promise.all([one.save("one is new"), two.save("two is new")]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const text = await page();
    expect(text).toContain("one is new");
    expect(text).toContain("two is new");
  });

  test("changed by ten tabs at once: one wins, nine are told", async () => {
    const forms = await Promise.all(Array.from({ length: 10 }, () => open()));
    const answers = await Promise.all(forms.map((form, tab) => form.save(`by tab ${tab}.`)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, ...Array(9).fill(409)]);
    expect(await page()).toContain(`by tab ${statuses.indexOf(303)}.`);
  });

  test("saved twice with the same words is saved once, and nobody is bothered", async () => {
    const form = await open();
    expect((await form.save("pressed twice")).status).toBe(303);
    expect((await form.save("pressed twice")).status).toBe(303);
  });

  test("that was deleted meanwhile is told, and can be kept as a new one", async () => {
    const form = await open();
    const key = `${first().id}.0`;
    const asked = await site.ask(`${journalPath}?delete=${key}`, { as: student });
    const version = /name="version" value="([^"]+)"/.exec(await asked.text())?.[1] ?? "";
    await site.ask(journalPath, { as: student, form: { intent: "delete", target: key, version } });
    const refused = await form.save("but I want it");
    expect(refused.status).toBe(409);
    const html = readable(await refused.text());
    expect(html).toContain("This answer was deleted in another tab");
    expect(boxes(html)).toContain("but I want it");
    const action = /action="(\?edit=[^"]*version=new|[^"]*\?edit=[^"]*version=new)"/.exec(
      html,
    )?.[1];
    const again = await site.ask(
      new URL(action ?? "", site.url + journalPath).pathname +
        new URL(action ?? "", site.url + journalPath).search,
      {
        as: student,
        multipart: [
          ["userId", student.id],
          ["lessonId", first().id],
          ["question", "Question 1"],
          ["answer", "but I want it"],
        ],
      },
    );
    expect(again.status).toBe(303);
    const text = await page();
    expect(text).toContain("but I want it");
    expect(text).toContain("the second");
  });

  test("emptied asks whether it is to be deleted, and changes nothing by itself", async () => {
    const answer = await (await open()).save("  \n ");
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toBe(`${journalPath}?delete=${first().id}.0`);
    expect(await page()).toContain("the first");
  });

  test("of no lesson, or one that she has not completed: 404 with the words in the box", async () => {
    const [, second] = course.modules[0]?.lessons ?? [];
    for (const key of [`${second?.id}.0`, "none", `${first().id}.7`]) {
      const answer = await site.ask(`${journalPath}?edit=${key}&version=x`, {
        as: student,
        multipart: [
          ["userId", student.id],
          ["question", "Another question"],
          ["answer", "words for nowhere"],
        ],
      });
      expect([404, 409]).toContain(answer.status);
      expect(boxes(await answer.text())).toContain("words for nowhere");
    }
  });

  test("of 100,000 characters is saved, a longer one refused", async () => {
    const form = await open();
    const long = "word ".repeat(maxAnswerLength / 5);
    expect((await form.save(long)).status).toBe(303);
    const refused = await (await open()).save(`${long}!`);
    expect(refused.status).toBe(413);
    expect(readable(await refused.text())).toContain(journalTooLong);
    expect(boxes((await open()).html)).toEqual([long]);
  });
});

describe("nothing typed is lost", () => {
  test("when the session has ended: the words come back in a page, ready to be sent again", async () => {
    const form = await open();
    const refused = await form.save("typed for an hour", [], null);
    expect(refused.status).toBe(401);
    const html = await refused.text();
    expect(boxes(html)).toEqual(["typed for an hour"]);
    expect(readable(html)).toContain("You have been signed out");
    expect(html.match(/<main/g)).toHaveLength(1);
    expect((await form.save("typed for an hour")).status).toBe(303);
  });

  test("when somebody else has signed in meanwhile: it is not taken as hers", async () => {
    const other = await createPerson(site.services);
    const refused = await (await open()).save("not hers", [], other);
    expect(refused.status).toBe(401);
    expect(await journalOf(site, other)).not.toContain("not hers");
  });

  test("what is typed is kept as a draft, goes on from there, and goes with the saving", async () => {
    const draftId = await leave(site.services, student, first(), said("begun to change"));
    const text = await page();
    expect(text).toContain("begun to change");
    expect(text).toMatch(/Written on \w+ \d+, \d{4} and not saved/);
    const html = await (
      await site.ask(`${journalPath}?edit=${first().id}.0&draft=${draftId}`, { as: student })
    ).text();
    expect(boxes(html)).toEqual(["begun to change"]);
    // Both stand there: what the draft would replace, and the draft.
    expect(readable(html)).toContain("As it stands now");
    expect(html).toContain(`name="draft" value="${draftId}:1"`);
    await (await open()).save("changed in the end", [["draft", `${draftId}:1`]]);
    expect(await page()).not.toContain("begun to change");
    const late = { draftId, lessonId: first().id, revision: 1, answers: ["late"] };
    await keepDraft(site, student, course, late);
    expect(await page()).not.toContain("late");
  });

  test("a draft with more answers than the one that a link names is not taken up, and stays whole", async () => {
    const words = said("begun to change", "and the other one");
    const draftId = await leave(site.services, student, first(), words);
    const html = await (
      await site.ask(`${journalPath}?edit=${first().id}.0&draft=${draftId}`, { as: student })
    ).text();
    expect(boxes(html)).toEqual(["the first"]);
    expect(html).not.toContain(`name="draft" value="${draftId}:1"`);
    expect(await page()).toContain("and the other one");
  });

  test("an answer that is completed a second time elsewhere stays as it was changed", async () => {
    await (await open()).save("changed here");
    await complete(site, student, course, first(), { answers: ["sent from an old page"] });
    const text = await page();
    expect(text).toContain("changed here");
    expect(text).toContain("sent from an old page");
  });
});

test("a form of another site changes nothing", async () => {
  const answer = await site.ask(`${journalPath}?edit=${first().id}.0&version=x`, {
    as: student,
    origin: "https://evil.example",
    multipart: [["answer", "theirs"]],
  });
  expect(answer.status).toBe(403);
  expect(await page()).toContain("the first");
});
