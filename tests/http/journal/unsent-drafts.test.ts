import { describe, expect, test } from "vitest";
import { newId } from "~/platform/db/ids.ts";
import { prompts } from "../../support/journal.ts";
import { journalPath, said } from "../../support/journal-page.ts";
import { learningSite } from "../../support/learning-site.ts";
import { createPerson, type Person } from "../../support/people.ts";
import { hidden, toastOf } from "../../support/responses.ts";

const kit = learningSite([[{ prompts: prompts(2) }, {}]]);
const complete = (...answers: string[]) => kit.write([kit.lesson(), said(...answers)]);
const leave = (...answers: string[]) => kit.leave(said(...answers));

/** The form under a draft, with which its text becomes answers. */
async function saveForm(draftId: string) {
  const html = await (await kit.site.ask(journalPath, { as: kit.student })).text();
  const forms = html.match(/<form[\s\S]*?<\/form>/g) ?? [];
  const target = `draft.${draftId}`;
  const form = forms.find((each) => each.includes(`value="${target}"`)) ?? "";
  const [version = ""] = hidden(form, "version");
  return {
    form,
    press: (as: Person = kit.student) =>
      kit.site.ask(journalPath, { as, form: { intent: "keep", target, version } }),
  };
}

describe("a lesson that was completed with nothing written", () => {
  test("is finished in the journal, the book and the file, whatever was typed afterwards", async () => {
    await complete();
    await leave("typed afterwards");
    for (const address of ["", "/book", ".md"]) {
      const text = await (await kit.site.ask(journalPath + address, { as: kit.student })).text();
      expect(text).toContain("typed afterwards");
      for (const open of ["Not finished", "not sent yet", "Go on in the lesson"])
        expect(text).not.toContain(open);
    }
  });

  test("is not in the journal without text", async () => {
    await complete();
    expect(await kit.journal()).toContain("Nothing written yet");
    await (await kit.answer()).save("");
    expect(await kit.journal()).toContain("Nothing written yet");
  });
});

describe("a draft of a completed lesson", () => {
  test("becomes answers with a press, to be changed like others", async () => {
    await complete();
    const draftId = await leave("the first", "the second");
    const { form, press } = await saveForm(draftId);
    expect(form).toContain("Keep this in my journal");
    const response = await press();
    expect(toastOf(response)?.title).toBe("Your answer is saved.");
    expect(response.headers.get("location")).toContain(`?lesson=${kit.lesson().id}`);
    const text = await kit.journal();
    expect(text).toContain("1 lesson");
    expect(text).not.toContain("draft");
    expect((await (await kit.answer(1)).save("changed")).status).toBe(303);
    expect(await kit.journal()).toContain("changed");
    expect(toastOf(await press())?.title).toBe("It is not there any more.");
  });

  test("is put behind the answers that are there, and replaces nothing", async () => {
    await complete("stands there");
    await (await saveForm(await leave("typed later", "and to the other"))).press();
    const text = await kit.journal();
    for (const each of ["stands there\n\ntyped later", "and to the other", "1 lesson"])
      expect(text).toContain(each);
  });

  test("about one answer that is there is continued from it instead", async () => {
    await complete("stands there");
    expect((await saveForm(await leave("typed later"))).form).toBe("");
    expect(await kit.journal()).toContain("Go on with it");
  });

  test("is continued on a page of its own, to which long answers have pushed it", async () => {
    const long = "It rained again. ".repeat(5_000);
    await complete(long, long);
    const draftId = await leave("typed later");
    const second = await kit.journal("?page=2");
    for (const each of ["typed later", "Go on with it", `${kit.lesson().id}.0&draft=${draftId}`])
      expect(second).toContain(each);
    for (const each of ["It rained again.", "Keep this in my journal"])
      expect(second).not.toContain(each);
  });

  test("in which more was written meanwhile is shown again first", async () => {
    await complete();
    const draftId = newId();
    await kit.draft(["begun"], { draftId });
    const { press } = await saveForm(draftId);
    await kit.draft(["begun, and more"], { draftId, revision: 2 });
    expect(toastOf(await press())?.tone).toBe("destructive");
    expect(await kit.journal()).toContain("1 draft");
    await (await saveForm(draftId)).press();
    expect(await kit.journal()).toContain("begun, and more");
    expect(await kit.journal()).not.toContain("1 draft");
  });

  test("cannot be saved by another user, nor before the lesson is completed", async () => {
    await complete();
    const other = await createPerson(kit.site.services, { role: "admin" });
    const pressed = await (await saveForm(await leave("mine"))).press(other);
    expect(toastOf(pressed)?.title).toBe("It is not there any more.");
    expect(await kit.journal("", other)).toContain("Nothing written yet");
    const early = await kit.leave(said("not yet"), kit.lesson(0, 1));
    const form = { intent: "keep", target: `draft.${early}`, version: "1" };
    const refused = await kit.site.ask(journalPath, { as: kit.student, form });
    expect(toastOf(refused)?.title).toBe("It is not there any more.");
    expect(await kit.journal()).toContain("2 drafts");
  });
});
