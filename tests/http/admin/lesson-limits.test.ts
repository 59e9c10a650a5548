import { expect, test } from "vitest";
import { editingSite } from "../../support/editing-site.ts";
import { boxes, readable } from "../../support/responses.ts";

const kit = editingSite([[{}]]);

test("a lesson that takes too much work to render is refused with its text; others are answered", {
  timeout: 60_000,
}, async () => {
  // Would take ten seconds. Larger bodies are only taken two at a time (body.ts).
  const content = "[".repeat(25_000) + "]".repeat(25_000);
  const sentence = "it has the sign [ 25,000 times";
  let isDone = false;
  const previewed = kit.site.ask("/admin/lessons/preview", { as: kit.admin, json: { content } });
  const saved = kit.update({ content }).finally(() => {
    isDone = true;
  });
  expect((await kit.draft({ fields: { title: "Brackets", content } })).status).toBe(204);
  let answered = 0;
  while (!isDone) {
    expect((await kit.site.ask("/healthz")).status).toBe(200);
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
  expect((await kit.row()).content).toBe("Some *words*.");
});
