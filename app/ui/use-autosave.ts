import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import {
  type Autosave,
  type AutosaveSetup,
  type AutosaveState,
  createAutosave,
  type Device,
  type DraftState,
  listen,
  type SendResult,
  sendUnsentDrafts,
} from "./autosave.ts";

type FormAutosave<Draft> = Omit<AutosaveSetup<Draft>, "read" | "onState" | "onDraftId"> & {
  read: (form: HTMLFormElement | null, state: DraftState) => Draft;
};

/** Autosaves a form, including text typed before the scripts loaded (early-typing.ts). `savedAt` is
 * when the server last had all of it, `draftId` the draft's id there by now. */
export function useAutosave<Draft>(
  form: RefObject<HTMLFormElement | null>,
  setup: FormAutosave<Draft>,
) {
  const [state, setState] = useState<AutosaveState>("idle");
  const [savedAt, setSavedAt] = useState<Date | null>(null);
  const [draftId, setDraftId] = useState(setup.draftId);
  const autosave = useRef<Autosave>(null);
  const first = useRef(setup);
  // With the page itself: what is typed into it right away is heard.
  useLayoutEffect(() => {
    // The last save runs while the form is being removed, when the ref is empty already.
    const element = form.current;
    const made = createAutosave<Draft>({
      ...first.current,
      read: (state) => first.current.read(element, state),
      // This runs before React handles the same keystroke: rendering now would put a field's old
      // text back, and the character would be lost.
      onState(next) {
        setTimeout(() => {
          setState(next);
          if (next === "saved") setSavedAt(new Date());
        });
      },
      onDraftId: setDraftId,
    });
    autosave.current = made;
    return listen(element, made);
  }, [form]);
  return { state, savedAt, draftId, autosave };
}

/** Sends drafts that an earlier page could not send; the page then offers them.
 * @returns those that the server did not take: this device alone has them */
export function useUnsentDrafts<Draft>(
  userId: string,
  device: Device<Draft>,
  send: (draft: Draft) => Promise<SendResult>,
): Draft[] {
  const { revalidate } = useRevalidator();
  const [left, setLeft] = useState<Draft[]>([]);
  const sending = useRef(send);
  useEffect(
    () =>
      sendUnsentDrafts({
        userId,
        device,
        send: (draft) => sending.current(draft),
        onArrived: revalidate,
        onLeft: setLeft,
      }),
    [userId, device, revalidate],
  );
  return left;
}
