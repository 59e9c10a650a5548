import { beforeEach, describe, expect, test } from "vitest";
import { journalTooLong } from "~/features/journal/messages.ts";
import { maxAnswerLength } from "~/features/journal/schema.ts";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../../support/journal.ts";
import { journalPath, said } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { createPerson } from "../../support/people.ts";
import { boxes, hidden, readable, toastOf } from "../../support/responses.ts";

const kit = learningSite([[{ prompts: prompts(2) }, {}]]);
beforeEach(() => kit.write([kit.lesson(), said("the first", "the second")]));

/** Sends the form of a page that was refused once more. */
const sendAgain = (html: string, answer: string, more: [string, string][] = []) => {
  const action = /action="([^"]*\?edit=[^"]*)"/.exec(html)?.[1] ?? "";
  const { pathname, search } = new URL(action, kit.site.url + journalPath);
  const multipart: [string, string][] = [
    ["userId", kit.student.id],
    ["lessonId", kit.lesson().id],
    ["question", "Question 1"],
    ["answer", answer],
    ...more,
  ];
  return kit.site.ask(pathname + search, { as: kit.student, multipart });
};
const editPage = async (query: string) => {
  const address = `${journalPath}?edit=${kit.lesson().id}.0${query}`;
  return (await kit.site.ask(address, { as: kit.student })).text();
};

describe("changing an answer", () => {
  test("shows it in its place, in the journal and in the lesson, with its question", async () => {
    const form = await kit.answer(1);
    expect(boxes(form.html)).toEqual(["the second"]);
    const saved = await form.save("  changed 💙\n\nwith <b>lines</b>  ");
    expect([saved.status, toastOf(saved)?.title]).toEqual([303, "Your answer is saved."]);
    const { id } = kit.lesson();
    expect(saved.headers.get("location")).toBe(`${journalPath}?lesson=${id}#lesson-${id}`);
    const text = await kit.journal();
    expect(text).toContain("  changed 💙\n\nwith <b>lines</b>  ");
    expect(text).toContain("the first");
    expect(text).not.toContain("the second");
    expect(readable((await kit.player("?lesson=lesson-1-1")).html)).toContain("changed 💙");
  });

  test.each([
    [[], "from the second tab"],
    [[["choice", "both"]], "from the first tab\n\nfrom the second tab"],
  ] as [[string, string][], string][])(
    "in two tabs is refused with both versions, then saved as chosen (%j)",
    async (choice, expected) => {
      const [one, two] = [await kit.answer(), await kit.answer()];
      await one.save("from the first tab");
      const refused = await two.save("from the second tab");
      expect(refused.status).toBe(409);
      const html = readable(await refused.text());
      expect(boxes(html)).toEqual(["from the second tab"]);
      for (const text of ["from the first tab", "Nothing has been overwritten."])
        expect(html).toContain(text);
      expect(await kit.journal()).not.toContain("from the second tab");
      expect((await sendAgain(html, "from the second tab", choice)).status).toBe(303);
      const journal = await kit.journal();
      expect(journal).toContain(expected);
      expect(journal.includes("from the first tab")).toBe(choice.length > 0);
    },
  );

  test("beside another that is changed at the same time: both are there", async () => {
    const [one, two] = [await kit.answer(0), await kit.answer(1)];
    const responses = await Promise.all([one.save("one is new"), two.save("two is new")]);
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    const text = await kit.journal();
    for (const each of ["one is new", "two is new"]) expect(text).toContain(each);
  });

  test("from ten tabs at once: one wins, nine are refused; the same text twice is no conflict", async () => {
    const forms = await Promise.all(Array.from({ length: 10 }, () => kit.answer()));
    const responses = await Promise.all(forms.map((form, tab) => form.save(`by tab ${tab}.`)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([303, ...Array(9).fill(409)]);
    const winner = statuses.indexOf(303);
    expect(await kit.journal()).toContain(`by tab ${winner}.`);
    expect((await forms[winner]?.save(`by tab ${winner}.`))?.status).toBe(303);
  });

  test("that was deleted meanwhile is refused, and can be saved as a new one", async () => {
    const form = await kit.answer();
    await (await kit.question(`${kit.lesson().id}.0`)).yes();
    const refused = await form.save("but I want it");
    expect(refused.status).toBe(409);
    const html = readable(await refused.text());
    expect(html).toContain("This answer was deleted in another tab");
    expect(boxes(html)).toContain("but I want it");
    expect((await sendAgain(html, "but I want it")).status).toBe(303);
    const text = await kit.journal();
    for (const each of ["but I want it", "the second"]) expect(text).toContain(each);
  });

  test("to nothing asks whether it is to be deleted, and changes nothing", async () => {
    const response = await (await kit.answer()).save("  \n ");
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${journalPath}?delete=${kit.lesson().id}.0`);
    expect(await kit.journal()).toContain("the first");
  });

  test("of no lesson, or one that is not completed: 404 with the text in the box", async () => {
    for (const key of [`${kit.lesson(0, 1).id}.0`, "none", `${kit.lesson().id}.7`]) {
      const response = await kit.site.ask(`${journalPath}?edit=${key}&version=x`, {
        as: kit.student,
        multipart: [
          ["userId", kit.student.id],
          ["question", "Another question"],
          ["answer", "text for nowhere"],
        ],
      });
      expect([404, 409]).toContain(response.status);
      expect(boxes(await response.text())).toContain("text for nowhere");
    }
  });

  test("to 100,000 characters is saved, to more refused", async () => {
    const long = "word ".repeat(maxAnswerLength / 5);
    expect((await (await kit.answer()).save(long)).status).toBe(303);
    const refused = await (await kit.answer()).save(`${long}!`);
    expect(refused.status).toBe(413);
    expect(readable(await refused.text())).toContain(journalTooLong);
    expect(boxes((await kit.answer()).html)).toEqual([long]);
  });

  test("from another site's page is refused: 403", async () => {
    const response = await kit.site.ask(`${journalPath}?edit=${kit.lesson().id}.0&version=x`, {
      as: kit.student,
      origin: "https://evil.example",
      multipart: [["answer", "theirs"]],
    });
    expect(response.status).toBe(403);
    expect(await kit.journal()).toContain("the first");
  });
});

describe("nothing typed is lost", () => {
  test("when the session has ended: the text comes back in a page, to be sent again", async () => {
    const form = await kit.answer();
    const refused = await form.save("typed for an hour", [], null);
    expect(refused.status).toBe(401);
    const html = await refused.text();
    expect(boxes(html)).toEqual(["typed for an hour"]);
    expect(readable(html)).toContain("You have been signed out");
    expect(html.match(/<main/g)).toHaveLength(1);
    expect((await form.save("typed for an hour")).status).toBe(303);
  });

  test("when another user has signed in meanwhile: it is not saved as theirs", async () => {
    const other = await createPerson(kit.site.services);
    const refused = await (await kit.answer()).save("not theirs", [], other);
    expect(refused.status).toBe(401);
    expect(await kit.journal("", other)).not.toContain("not theirs");
  });

  test("a draft of the answer is continued from a link, and goes with the save", async () => {
    const draftId = await kit.leave(said("begun to change"));
    const text = await kit.journal();
    expect(text).toContain("begun to change");
    expect(text).toMatch(/Written on \w+ \d+, \d{4} UTC and not saved/);
    const html = await editPage(`&draft=${draftId}`);
    expect(boxes(html)).toEqual(["begun to change"]);
    // Both stand there: what the draft would replace, and the draft.
    expect(readable(html)).toContain("As it stands now");
    expect(hidden(html, "drafts")[0]).toContain(` ${draftId}:1`);
    await (await kit.answer()).save("changed in the end", [
      ["drafts", `${newId()}:1 ${draftId}:1`],
    ]);
    expect(await kit.journal()).not.toContain("begun to change");
    await kit.draft(["late"], { draftId });
    expect(await kit.journal()).not.toContain("late");
  });

  test("a draft of more answers than the one of the link is not continued, and stays whole", async () => {
    const draftId = await kit.leave(said("begun to change", "and the other one"));
    const html = await editPage(`&draft=${draftId}`);
    expect(boxes(html)).toEqual(["the first"]);
    expect(html).not.toContain(`${draftId}:1`);
    expect(await kit.journal()).toContain("and the other one");
  });

  test("an answer that is completed again from an old page stays as it was changed", async () => {
    await (await kit.answer()).save("changed here");
    await kit.complete({ answers: ["sent from an old page"] });
    const text = await kit.journal();
    for (const each of ["changed here", "sent from an old page"]) expect(text).toContain(each);
  });
});
