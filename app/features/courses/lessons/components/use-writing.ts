import { type RefObject, useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { handOver } from "~/ui/keeping/hand-over.ts";
import type { KeepState } from "~/ui/keeping/keeper.ts";
import { listen } from "~/ui/keeping/listen.ts";
import type { DraftFields, Fields } from "../schema.ts";
import { fieldNames } from "../texts.ts";
import { createWritingKeeper, type WritingKeeper } from "./writing-keeper.ts";
import { sendWriting, writingDevice } from "./writing-store.ts";

type Writing = {
  userId: string;
  lessonId: string;
  draftId: string;
  baseRevision: number;
  continued: { id: string; saves: number }[];
};

/** What a lesson's form holds, as it was typed. */
export function readFields(form: HTMLFormElement | null): Fields {
  const typed = form ? new FormData(form) : null;
  return Object.fromEntries(
    fieldNames.map((name) => [name, String(typed?.get(name) ?? "").replaceAll("\r\n", "\n")]),
  ) as Fields;
}

/** The same as a draft keeps it: beside the order number, the one that the form was given. */
function readDraft(form: HTMLFormElement | null): DraftFields {
  const given = form?.elements.namedItem("orderBefore");
  const orderBefore = given instanceof HTMLInputElement ? given.value : "";
  return { ...readFields(form), orderBefore };
}

/** Puts words into a field as if they had been typed, so that everybody who listens hears of it. */
export function fillIn(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (!field || field instanceof RadioNodeList) return;
  // React replaces the setter of the element itself.
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")?.set;
  setter?.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (field instanceof HTMLSelectElement)
    field.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * Keeps what is typed into a lesson's form, also what was typed before the scripts had loaded
 * (ui/early-typing.ts). `keptAt` is when the server last had all of it.
 */
export function useWriting(form: RefObject<HTMLFormElement | null>, writing: Writing) {
  const [state, setState] = useState<KeepState>("idle");
  const [keptAt, setKeptAt] = useState<Date | null>(null);
  const keeper = useRef<WritingKeeper>(null);
  const first = useRef(writing);
  useEffect(() => {
    // The last save happens while the form leaves the page, when the ref is empty already.
    const element = form.current;
    const made = createWritingKeeper({
      ...first.current,
      read: () => readDraft(element),
      // This is heard before React hears of the same letter: rendering now would put the field's
      // old text back, and the letter would be lost.
      onState(next) {
        setTimeout(() => {
          setState(next);
          if (next === "kept") setKeptAt(new Date());
        });
      },
    });
    keeper.current = made;
    return listen(element, made);
  }, [form]);
  return { state, keptAt, keeper };
}

/** Hands over what an earlier page could not send of her lessons; it is then offered. */
export function useLeftBehind(userId: string) {
  const { revalidate } = useRevalidator();
  useEffect(
    () =>
      handOver({
        userId,
        device: writingDevice,
        send: (draft) => sendWriting(userId, draft),
        onArrived: revalidate,
      }),
    [userId, revalidate],
  );
}
