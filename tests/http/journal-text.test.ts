import { describe, expect, test } from "vitest";
import { journalTooLong } from "~/features/journal/messages.ts";
import { maxAnswerLength, maxJournalLength } from "~/features/journal/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../support/journal.ts";
import { learningSite } from "../support/learning-site.ts";
import { openedJournal } from "../support/opened-journal.ts";
import { rawRequest } from "../support/raw-request.ts";
import { boxes, readable } from "../support/responses.ts";

const kit = learningSite([[{ prompts: prompts(2) }, {}]]);
const page = async (query = "") => (await kit.player(query)).html;
const textOf = (length: number) =>
  "So it goes on, day after day. ".repeat(Math.ceil(length / 30)).slice(0, length);

test.each<[string, string, string?]>([
  ["emoji", "I miss him 💙👩‍👩‍👧 🕯️"],
  ["right to left", "أفتقده كل يوم \u202Eabc\u202C"],
  ["markup", `</script><script>alert(1)</script><img src=x onerror=alert(1)>`],
  ["the end of the box", "</textarea><b>&amp; &lt; \"'`"],
  ["page data", "{{x}} {1} \\u003c \\n <!-- --> ]]>"],
  ["a leading line break", "\n\nafter two lines  \n  and spaces"],
  ["NUL", "before\0after", "beforeafter"],
  ["separators of scripts", "a\u2028b\u2029c\uFEFFd"],
])(
  "%s: saved as a draft and as an answer, shown as it was, never run",
  async (_, text, saved = text) => {
    const draftId = newId();
    expect((await kit.draft([text], { draftId })).status).toBe(204);
    const restored = await page(`?lesson=lesson-1-1&draft=${draftId}`);
    expect(boxes(restored)[0]).toBe(saved);
    expect(restored).not.toContain("<script>alert");
    expect((await kit.complete({ answers: [text] })).status).toBe(303);
    const [row] = await openedJournal(kit.site.services, kit.student.id);
    expect(row?.journalAnswer).toBe(`Question 1\n${saved}`);
    expect(row?.answers).toEqual([{ question: "Question 1", answer: saved }]);
    const html = await page("?lesson=lesson-1-1");
    expect(readable(html)).toContain(saved);
    for (const live of ["<script>alert", "<img src=x", "</textarea><b>"])
      expect(html).not.toContain(live);
  },
);

test("half a character in a draft is replaced", async () => {
  const draftId = newId();
  const lessonId = kit.lesson().id;
  const response = await kit.site.ask(kit.learn("/draft"), {
    as: kit.student,
    method: "PUT",
    body: `{"draftId":"${draftId}","lessonId":"${lessonId}","revision":1,"answers":[{"question":"Question 1","answer":"a\\ud83db"}]}`,
    headers: { "content-type": "application/json" },
  });
  expect(response.status).toBe(204);
  expect(boxes(await page(`?draft=${draftId}`))[0]).toBe("a\ufffdb");
});

describe("long texts", { timeout: 120_000 }, () => {
  test("an answer of 100,000 characters is saved, as a draft and permanently", async () => {
    const text = textOf(maxAnswerLength);
    const draftId = newId();
    expect((await kit.draft([text], { draftId })).status).toBe(204);
    expect(boxes(await page(`?draft=${draftId}`))[0]).toBe(text);
    expect((await kit.complete({ answers: [text], draftId })).status).toBe(303);
    expect(readable(await page("?lesson=lesson-1-1"))).toContain(text);
  });

  test("a longer answer is refused in a short page, and the draft stays", async () => {
    const draftId = newId();
    await kit.draft(["the earlier draft"], { draftId });
    const text = textOf(maxAnswerLength + 1);
    const sent = await kit.complete({ answers: [text, "and more"], draftId });
    expect(sent.status).toBe(413);
    const html = await sent.text();
    expect(readable(html)).toContain(journalTooLong);
    expect(html.length).toBeLessThan(maxAnswerLength);
    const saved = await kit.draft([text], { draftId, revision: 2 });
    expect(saved.status).toBe(413);
    expect(await saved.json()).toMatchObject({ error: { code: "too_large" } });
    expect(boxes(await page(`?draft=${draftId}`))[0]).toBe("the earlier draft");
  });

  test("more than 400,000 characters in a lesson are refused", async () => {
    const answers = Array(maxJournalLength / maxAnswerLength + 1).fill(textOf(maxAnswerLength));
    const sent = await kit.complete({ answers });
    expect(sent.status).toBe(413);
    expect(readable(await sent.text())).toContain(journalTooLong);
  });

  test("40 MB are refused before they are read, or cut off where their length is not given", async () => {
    const limit = 40 * 1024 * 1024;
    const cookie = await kit.site.cookieOf(kit.student);
    const headers = { cookie, origin: kit.site.services.config.appUrl };
    const announced = await rawRequest(kit.site.url, {
      method: "POST",
      path: kit.learn(),
      headers: {
        ...headers,
        "content-type": "multipart/form-data; boundary=x",
        "content-length": String(limit),
      },
    });
    expect(announced.status).toBe(413);
    expect(announced.body).toContain("That is too much at once");
    const endless = await rawRequest(kit.site.url, {
      method: "PUT",
      path: kit.learn("/draft"),
      headers: { ...headers, accept: "application/json" },
      endless: limit,
    });
    expect(endless.status).toBe(413);
    expect(JSON.parse(endless.body)).toMatchObject({ error: { code: "too_large" } });
    expect(endless.sent).toBeLessThan(limit);
  });
});
