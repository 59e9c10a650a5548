import { expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { boxes, readable } from "../../support/answers.ts";
import { createCourse } from "../../support/courses.ts";
import { lessonRow, updateByForm } from "../../support/lessons.ts";
import { createPerson } from "../../support/people.ts";
import { startSite } from "../../support/site.ts";

test("a lesson that takes too much work to show: others are answered, it is refused, its words stay", {
  timeout: 60_000,
}, async () => {
  const site = await startSite();
  const admin = await createPerson(site.services, { role: "admin" });
  const course = await createCourse(site.services, [[{}]]);
  const id = course.modules[0]?.lessons[0]?.id ?? "";
  // Would take ten seconds. Larger bodies are only taken two at a time (body.ts).
  const content = "[".repeat(25_000) + "]".repeat(25_000);
  const sentence = "it has the sign [ 25,000 times";
  let isDone = false;
  const previewed = site.ask("/admin/lessons/preview", { as: admin, json: { content } });
  const saved = updateByForm(site, admin, id, { content }).finally(() => {
    isDone = true;
  });

  const fields = { title: "Brackets", content };
  const draft = { userId: admin.id, draftId: newId(), baseRevision: 1, revision: 1, fields };
  const path = `/admin/lessons/${id}/draft`;
  expect((await site.ask(path, { as: admin, method: "PUT", json: draft })).status).toBe(204);
  let answered = 0;
  while (!isDone) {
    expect((await site.ask("/healthz")).status).toBe(200);
    answered += 1;
  }
  // In the thread of the pages, one of them would come between the two texts.
  expect(answered).toBeGreaterThan(20);

  const preview = await previewed;
  expect(preview.status).toBe(400);
  expect((await preview.json()).error.message).toContain(sentence);
  const form = await saved;
  expect(form.status).toBe(400);
  const html = await form.text();
  expect(readable(html)).toContain(sentence);
  expect(boxes(html)).toContain(content);
  expect((await lessonRow(site.services, id)).content).toBe("Some *words*.");
  await site.close();
});
