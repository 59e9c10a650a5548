import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { turnOffEmails } from "~/features/accounts/email-preferences.server.ts";
import { saveDraft } from "~/features/journal/drafts.server.ts";
import { completeLesson } from "~/features/player/complete-lesson.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { createCourse, type TestCourse } from "../../support/courses.ts";
import { openPostOffice, type PostOffice } from "../../support/lesson-emails.ts";

// Weeks of mornings are lived through.
vi.setConfig({ testTimeout: 120_000 });

let office: PostOffice;
let course: TestCourse;

const content = `First words, with [the other course](/courses/blue-dot-method) and [a line](tel:988).

# A big heading

## A heading

1. Sit down.
2. Stand up, *slowly*.

- [x] done
- [ ] not done

> Half a slice of toast.

![A compass](https://pictures.example/compass.png) [![x](https://pictures.example/x.png)](#top)

<script>alert(1)</script><img src="https://spy.example/p.gif">

A claim.[^1]

[^1]: Its footnote.

| a | b |
|---|---|
| 1 | 2 |
`;

beforeEach(async () => {
  office = await openPostOffice("2027-03-25T14:30:00Z");
  await office.plan();
  const prompts = [{ question: "What held this week?", placeholder: "A chair, perhaps" }];
  const days = Array.from({ length: 7 }, (_, day) => ({
    title: `Day ${day + 1}`,
    slug: `day-${day + 1}`,
    dripDay: day,
    content,
    prompts,
    audioKey: day === 0 ? "a/b.mp3" : null,
    muxPlaybackId: day < 2 ? "a/b.mp4" : null,
  }));
  course = await createCourse(office.services, [days.slice(0, 3), days.slice(3)], {
    title: "Seven days",
  });
  await office.sends(course, "lesson");
});
afterEach(() => office.close());

test("seven lessons in seven emails: the first at once, the others in the mornings", async () => {
  const ada = await office.enrolled("Europe/Berlin", course);
  await office.deliver();
  expect(office.received()).toEqual(["03-25T14 Seven days: Day 1"]);
  // Clocks go forward on the 28th.
  await office.liveUntil("2027-04-10T00:00:00Z");
  expect(office.received().slice(1)).toEqual([
    "03-27T07 Seven days: Day 2",
    "03-28T06 Seven days: Day 3",
    "03-29T06 Seven days: Day 4",
    "03-30T06 Seven days: Day 5",
    "03-31T06 Seven days: Day 6",
    "04-01T06 Seven days: Day 7",
  ]);
  expect(await office.enrolls(ada, course)).toBe(false);
  await office.liveUntil("2027-04-12T00:00:00Z");
  expect(office.arrived).toHaveLength(7);
});

test.each<[string, [string, string], string[]]>([
  [
    "in the night before a morning's email, it is that day's: the other waits",
    ["06:30", "06:30"],
    ["03-27T06 Seven days: Day 1", "03-28T08 “Other 1” and two more lessons are open"],
  ],
  [
    "after the morning's email was enqueued: that waits, and repeats nothing",
    ["07:00", "07:30"],
    ["03-27T07 Seven days: Day 1", "03-28T08 “Other 1” and two more lessons are open"],
  ],
  [
    "on a day that has had its email: at once",
    ["15:00", "15:00"],
    ["03-27T08 “Other 1” is open", "03-27T15 Seven days: Day 1", "03-28T08 “Other 2” is open"],
  ],
])("the first lesson %s", async (_, [until, enrolls], expected) => {
  const days = [1, 2, 3].map((day) => ({ title: `Other ${day}`, dripDay: day }));
  const ada = await office.enrolled("UTC", await createCourse(office.services, [days]));
  // "Other 1" opens on the 26th in the afternoon; its email is enqueued on the 27th at seven.
  await office.liveUntil(`2027-03-27T${until}:00Z`);
  office.moveTo(`2027-03-27T${enrolls}:00Z`);
  await office.enrolls(ada, course);
  await office.liveUntil("2027-03-28T12:00:00Z");
  expect(office.received()).toEqual(expected);
});

describe("the email", () => {
  test("is the lesson, as a mail program can show it, and asks without a word of the answers", async () => {
    const ada = await office.enrolled(null, course);
    const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
    const answers = [{ question: "What held this week?", answer: "Nobody may read this." }];
    const draft = { draftId: newId(), lessonId, revision: 1, answers };
    expect(await saveDraft(office.services, { userId: ada.id, ...draft })).toBe(true);
    const [message] = await office.deliver();
    const { source = "" } = message ?? {};
    const text = message?.text.replaceAll("\r\n", "\n") ?? "";
    const html = message?.html.replaceAll("<!-- -->", "") ?? "";
    const { appUrl } = office.services.config;
    for (const part of [html, text]) {
      expect(part).toContain("Hello Ada,");
      expect(part).toContain(`${appUrl}/courses/blue-dot-method`);
      expect(part).toContain(`${appUrl}/courses/${course.slug}/learn?lesson=day-1`);
      expect(part).toContain("What held this week?");
      expect(part.replace(/\s+/g, " ")).toContain(
        "a video and a recording with this lesson. You will find them on the site.",
      );
      expect(part).toContain("[A compass]");
      expect(part).not.toMatch(/pictures\.example|spy\.example|alert\(1\)|A chair, perhaps/);
      expect(part).not.toContain("Nobody may read this.");
    }
    expect(html).not.toMatch(/<img|<script|<input|href="#/);
    expect(html).toContain('href="tel:988"');
    expect(html).toMatch(/<h1[^>]*>Day 1<\/h1>/);
    expect(html).toMatch(/<ol[^>]*>\s*<li[^>]*>Sit down\.<\/li>/);
    expect(text).toContain(" 1. Sit down.\n 2. Stand up, slowly.");
    expect(text).toContain("> Half a slice of toast.");
    expect(text).toMatch(/☑ done[\s\S]*☐ not done/);
    expect(source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    expect(source.replace(/\r\n\s+/g, " ")).toMatch(
      /^List-Unsubscribe: ?<http\S+kind=lesson-opened&token=\S+>/m,
    );
  });

  test("names a lesson that is too long for an email, with its link", async () => {
    const long = await createCourse(office.services, [
      [{ title: "A long one", slug: "long", content: "- one\n".repeat(1_500) }],
    ]);
    await office.sends(long, "lesson");
    await office.enrolled(null, long);
    const [message] = await office.deliver();
    expect(message?.text).toContain("A long one");
    expect(message?.text).toContain(`/courses/${long.slug}/learn?lesson=long`);
    expect(message?.text).not.toContain("* one");
  });

  test("stops with the press on its link", async () => {
    const ada = await office.enrolled("UTC", course);
    const [message] = await office.deliver();
    const [, token = ""] =
      /off\?kind=lesson-opened&token=([\w.-]+)/.exec(message?.text ?? "") ?? [];
    expect(await turnOffEmails(office.services, { token, kind: "lesson-opened" })).toBe(ada.id);
    await office.liveUntil("2027-04-10T00:00:00Z");
    expect(office.arrived).toHaveLength(1);
  });

  test("does not come at once for a lesson that is completed by then, nor from a course that sends none", async () => {
    const [ada, grace] = [await office.student("UTC"), await office.student("UTC", "Grace")];
    await office.enrolls(ada, course);
    const lessonId = course.modules[0]?.lessons[0]?.id ?? "";
    await completeLesson(office.services, { userId: ada.id, lessonId, answers: [], drafts: [] });
    expect(await office.deliver()).toEqual([]);
    await office.enrolls(grace, course);
    await office.sends(course, "off");
    expect(await office.deliver()).toEqual([]);
  });
});
