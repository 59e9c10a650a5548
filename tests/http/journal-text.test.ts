import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { enroll } from "~/features/enrollments/enrollments.server.ts";
import { journalTooLong } from "~/features/journal/messages.ts";
import { maxAnswerLength, maxJournalLength } from "~/features/journal/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { boxes, readable } from "../support/answers.ts";
import { createCourse, type TestCourse } from "../support/courses.ts";
import { complete, keepDraft, lessonOf, prompts } from "../support/journal.ts";
import { openedJournal } from "../support/opened.ts";
import { createPerson, type Person } from "../support/people.ts";
import { rawRequest } from "../support/raw-request.ts";
import { startSite, type TestSite } from "../support/site.ts";

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
  await enroll(site.services, { userId: student.id, productId: course.id });
});

const first = () => lessonOf(course, 0, 0);
const path = () => `/courses/${course.slug}/learn`;
const page = async (query = "") => (await site.ask(path() + query, { as: student })).text();
const words = "So it goes on, day after day. ";
const textOf = (length: number) => words.repeat(Math.ceil(length / words.length)).slice(0, length);

describe("whatever is written", () => {
  const texts: [string, string, string?][] = [
    ["emoji", "I miss him 💙👩‍👩‍👧 🕯️"],
    ["right to left", "أفتقده כל יום \u202Eabc\u202C"],
    ["markup", `</script><script>alert(1)</script><img src=x onerror=alert(1)>`],
    ["the end of the box", "</textarea><b>&amp; &lt; \"'`"],
    ["page data", "{{x}} {1} \\u003c \\n <!-- --> ]]>"],
    ["a leading line break", "\n\nafter two lines  \n  and spaces"],
    ["NUL", "before\0after", "beforeafter"],
    ["separators of scripts", "a\u2028b\u2029c\uFEFFd"],
  ];

  test.each(texts)("%s is kept, shown as it was, and never run", async (_, text, kept = text) => {
    const response = await complete(site, student, course, first(), { answers: [text] });
    expect(response.status).toBe(303);
    const [row] = await openedJournal(site.services, student.id);
    expect(row?.journalAnswer).toBe(`Question 1\n${kept}`);
    expect(row?.answers).toEqual([{ question: "Question 1", answer: kept }]);
    const html = await page("?lesson=lesson-1-1");
    expect(readable(html)).toContain(kept);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img src=x");
    expect(html).not.toContain("</textarea><b>");
  });

  test.each(texts)(
    "%s is kept as a draft and comes back into the box",
    async (_, text, kept = text) => {
      const draftId = newId();
      const draft = { draftId, lessonId: first().id, answers: [text] };
      expect((await keepDraft(site, student, course, draft)).status).toBe(204);
      const html = await page(`?lesson=lesson-1-1&draft=${draftId}`);
      expect(boxes(html)[0]).toBe(kept);
      expect(html).not.toContain("<script>alert");
    },
  );

  test("half a character in a draft fails nothing", async () => {
    const draftId = newId();
    const json = `{"draftId":"${draftId}","lessonId":"${first().id}","revision":1,"answers":[{"question":"Question 1","answer":"a\\ud83db"}]}`;
    const response = await site.ask(`${path()}/draft`, {
      as: student,
      method: "PUT",
      body: json,
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(204);
    expect(boxes(await page(`?draft=${draftId}`))[0]).toBe("a\ufffdb");
  });
});

describe("long texts", { timeout: 120_000 }, () => {
  test("an answer of 100,000 characters is saved, as a draft and for good", async () => {
    const text = textOf(maxAnswerLength);
    const draftId = newId();
    const draft = { draftId, lessonId: first().id, answers: [text] };
    expect((await keepDraft(site, student, course, draft)).status).toBe(204);
    expect(boxes(await page(`?draft=${draftId}`))[0]).toBe(text);
    const sent = await complete(site, student, course, first(), { answers: [text], draftId });
    expect(sent.status).toBe(303);
    expect(readable(await page("?lesson=lesson-1-1"))).toContain(text);
  });

  test("a longer answer is refused in a short page, and the draft stays", async () => {
    const draftId = newId();
    const lessonId = first().id;
    await keepDraft(site, student, course, { draftId, lessonId, answers: ["the earlier draft"] });
    const text = textOf(maxAnswerLength + 1);
    const sent = await complete(site, student, course, first(), {
      answers: [text, "and more"],
      draftId,
    });
    expect(sent.status).toBe(413);
    const html = await sent.text();
    expect(readable(html)).toContain(journalTooLong);
    expect(html.length).toBeLessThan(maxAnswerLength);
    const kept = await keepDraft(site, student, course, {
      draftId,
      lessonId,
      revision: 2,
      answers: [text],
    });
    expect(kept.status).toBe(413);
    expect(await kept.json()).toMatchObject({ error: { code: "too_large" } });
    expect(boxes(await page(`?draft=${draftId}`))[0]).toBe("the earlier draft");
  });

  test("more than 400,000 characters in a lesson are refused", async () => {
    const answers = Array(maxJournalLength / maxAnswerLength + 1).fill(textOf(maxAnswerLength));
    const sent = await complete(site, student, course, first(), { answers });
    expect(sent.status).toBe(413);
    expect(readable(await sent.text())).toContain(journalTooLong);
  });

  test("40 MB are refused before they are read", async () => {
    const cookie = await site.cookieOf(student);
    const answer = await rawRequest(site.url, {
      method: "POST",
      path: path(),
      headers: {
        cookie,
        origin: site.services.config.appUrl,
        "content-type": "multipart/form-data; boundary=x",
        "content-length": String(40 * 1024 * 1024),
      },
    });
    expect(answer.status).toBe(413);
    expect(answer.body).toContain("That is too much at once");
  });

  test("40 MB of unannounced length are cut off", async () => {
    const cookie = await site.cookieOf(student);
    const limit = 40 * 1024 * 1024;
    const answer = await rawRequest(site.url, {
      method: "PUT",
      path: `${path()}/draft`,
      headers: { cookie, origin: site.services.config.appUrl, accept: "application/json" },
      endless: limit,
    });
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body)).toMatchObject({ error: { code: "too_large" } });
    expect(answer.sent).toBeLessThan(limit);
  });
});
