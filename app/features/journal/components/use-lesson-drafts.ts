import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { useNavigation, useRevalidator } from "react-router";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import { type Autosave, discardDraft, isBeingWritten } from "~/ui/autosave.ts";
import { discardFailed } from "../messages.ts";
import { currentDrafts, mergeTexts, placeAnswers } from "../place-answers.ts";
import type { JournalFormLesson, ShownDraft } from "../schema.ts";
import { boxesOf, journalDevice, type LocalDraft } from "./journal-autosave.tsx";

type Setup = {
  slug: string;
  userId: string;
  lesson: JournalFormLesson;
  form: RefObject<HTMLFormElement | null>;
  autosave: RefObject<Autosave | null>;
  /** What the server put into the boxes. */
  first: ShownDraft | null;
  /** The boxes have the text of a form that was refused. */
  isRefused: boolean;
  /** Changes when the server has answered what this device had. */
  onDevice: LocalDraft[];
};

/** The drafts of a lesson. Until something is typed, the boxes show the newest one that the server or
 * this device has, as a copy: nothing is written by that. @returns the draft in the boxes, and all */
export function useLessonDrafts(setup: Setup) {
  const { slug, userId, lesson, form, autosave, first, isRefused, onDevice } = setup;
  const { state } = useNavigation();
  const { revalidate } = useRevalidator();
  const [shown, setShown] = useState(first);
  const [known, setKnown] = useState(lesson.drafts);
  const [asked, setAsked] = useState(lesson.isDraftAsked ? lesson.drafts[0]?.id : undefined);
  /** Whose text was put into the boxes later, or that were discarded. */
  const [taken, setTaken] = useState<SeenDraft[]>([]);
  const isEarly = useRef(true);
  const questions = lesson.prompts.map(({ question }) => question);
  const isUntouched = () => !isRefused && !autosave.current?.hasWords();
  const textsOf = (draft: ShownDraft | null) => placeAnswers(questions, draft?.answers ?? []);

  function findCurrent() {
    const onThisDevice = journalDevice
      .all(userId)
      .filter(({ draftId, lessonId }) => lessonId === lesson.id && !isBeingWritten(draftId))
      .map(({ draftId: id, at = 0, ...draft }) => ({ ...draft, id, at, when: null }));
    return currentDrafts([...lesson.drafts, ...onThisDevice]);
  }

  /** Puts a draft's text and what is in each box together. */
  function fill(draft: ShownDraft | null, together: (text: string, typed: string) => string) {
    const texts = textsOf(draft);
    for (const [index, box] of boxesOf(form.current).entries())
      box.value = together(texts[index] ?? "", box.value);
  }

  /** As if it had been typed: it is autosaved, and a form that waits to be sent again is not. */
  const announce = () =>
    boxesOf(form.current)[0]?.dispatchEvent(new Event("input", { bubbles: true }));

  function begin(draft: ShownDraft | null) {
    setShown(draft);
    if (draft?.id === shown?.id && draft?.revision === shown?.revision) return;
    fill(draft, (text) => text);
    autosave.current?.begin(draft ? [draft, ...draft.absorbed] : []);
  }

  /** What was typed before the scripts ran, or filled in by the browser when the student came back,
   * stays. A draft whose text is not in it is not in the boxes, and goes to the list. */
  function acceptEarlyTyping() {
    const texts = textsOf(shown);
    const boxes = boxesOf(form.current);
    if (boxes.every(({ value }, index) => value === texts[index])) return;
    if (!boxes.every(({ value }, index) => value.includes(texts[index] ?? ""))) {
      autosave.current?.begin([]);
      setShown(null);
    }
    if (!autosave.current?.hasWords()) autosave.current?.changed();
  }

  const settle = useEffectEvent(() => {
    const current = findCurrent();
    setKnown(current);
    // Without boxes, a draft would be gone with the lesson's form and not be in it.
    if (isRefused || questions.length === 0) return;
    if (isEarly.current) acceptEarlyTyping();
    isEarly.current = false;
    if (!isUntouched()) return;
    const isAsked = ({ id, absorbed }: ShownDraft) =>
      id === asked || absorbed.some((older) => older.id === asked);
    begin(current.find(isAsked) ?? current[0] ?? null);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what they stand for is read anew
  useEffect(() => {
    // Text that was typed early is put back first (entry.client.tsx).
    const timer = setTimeout(settle);
    return () => clearTimeout(timer);
  }, [lesson.drafts, onDevice]);

  const reloadIfUntouched = useEffectEvent(async () => {
    if (document.hidden || state !== "idle" || !isUntouched()) return;
    // Unlike a navigation, it does not break off what was pressed meanwhile.
    if ((await isSignedIn(userId)) && isUntouched()) await revalidate();
  });
  useEffect(() => {
    const lookAgain = () => void reloadIfUntouched();
    document.addEventListener("visibilitychange", lookAgain);
    return () => document.removeEventListener("visibilitychange", lookAgain);
  }, []);

  const take = (drafts: SeenDraft[]) => setTaken((before) => [...before, ...drafts]);
  const focus = () => boxesOf(form.current)[0]?.focus();
  return {
    shown,
    others: known.filter(
      ({ id, revision }) =>
        id !== shown?.id && !taken.some((one) => one.id === id && one.revision >= revision),
    ),
    /** Puts a draft into untouched boxes, or before the text that was typed into them. */
    open({ id }: ShownDraft) {
      const draft = findCurrent().find((one) => one.id === id);
      if (!draft) return;
      if (isUntouched()) {
        setAsked(id);
        begin(draft);
      } else {
        fill(draft, mergeTexts);
        announce();
        autosave.current?.absorb(draft, draft.absorbed);
        take([draft, ...draft.absorbed]);
      }
      focus();
    },
    /** Empties the boxes; the draft that was in them goes with the save. */
    empty() {
      fill(null, (text) => text);
      announce();
      autosave.current?.flush();
      if (shown) take([shown, ...shown.absorbed]);
      setShown(null);
      focus();
    },
    async discard(draft: ShownDraft) {
      const answer = draft.when ? await discardDraft(`/courses/${slug}/learn/draft`, draft) : {};
      const detail = answer ? answer.changed : discardFailed;
      if (detail) document.dispatchEvent(new CustomEvent("toast", { detail }));
      if (!answer) return;
      journalDevice.drop(userId, draft.id, draft.revision);
      take([draft]);
      focus();
      if (draft.when) await revalidate();
    },
  };
}

/** Without an answer, or signed out, loading the page's data again would replace the page. */
async function isSignedIn(userId: string): Promise<boolean> {
  try {
    const { session } = await (await fetch("/api/session")).json();
    return session?.userId === userId;
  } catch {
    return false;
  }
}
