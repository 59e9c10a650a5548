import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { CourseFormError, SavedForm } from "../course-forms.server.ts";

type Props<Typed> = {
  typed: Typed;
  /** 0 for an item that does not exist yet. */
  revision: number;
  problem: CourseFormError<Typed> | null;
  saved: SavedForm<Typed> | null;
};

type Typing = Record<string, string>;

/** Lets a form own its text: a reload neither replaces it nor renews the revision it saves over;
 * only its own save does, or a conflict that was shown. An untouched form follows the stored
 * values. */
export function useEdited<Typed extends Typing>({ typed, revision, problem, saved }: Props<Typed>) {
  const form = useRef<HTMLFormElement>(null);
  const [defaults] = useState(problem?.typed ?? typed);
  const [base, setBase] = useState<SavedForm<Typed>>({
    typed: { ...typed, ...problem?.opened },
    revision: problem?.revision ?? revision,
  });
  // The response to another form on the page does not clear this error.
  const [shown, setShown] = useState(problem);
  const sent = useRef<Typing>({});
  const takesStored = useRef(false);

  const isUnsaved = () => {
    const now = readTyped(form.current, typed);
    return Object.keys(now).some((name) => now[name] !== plain(base.typed[name]));
  };

  useUnsaved(isUnsaved);

  /** Starts again from the stored values; text typed since the submit stays. */
  const begin = useEffectEvent((next: SavedForm<Typed>, replaced: Typing) => {
    const now = readTyped(form.current, next.typed);
    for (const [name, value] of Object.entries(next.typed)) {
      const field = fieldOf(form.current, name);
      if (field && now[name] === replaced[name] && now[name] !== plain(value)) field.value = value;
    }
    takesStored.current = false;
    setBase(next);
    setShown(null);
  });
  useEffect(() => {
    if (saved) begin(saved, sent.current);
  }, [saved]);

  useEffect(() => {
    if (!problem) return;
    setShown(problem);
    setBase((before) => ({ ...before, revision: problem.revision }));
  }, [problem]);

  const follow = useEffectEvent((stored: SavedForm<Typed>) => {
    const mayFollow = shown === null && stored.revision >= base.revision && !isUnsaved();
    if (takesStored.current || mayFollow) begin(stored, readTyped(form.current, stored.typed));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is loaded
  useEffect(() => follow({ typed, revision }), [typed]);

  return {
    form,
    defaults,
    base,
    problem: shown,
    onSubmit() {
      sent.current = readTyped(form.current, typed);
    },
    /** For the link that reloads the page and replaces the typed text. */
    takeStored(event: MouseEvent) {
      const { metaKey, ctrlKey, shiftKey } = event;
      takesStored.current = !(metaKey || ctrlKey || shiftKey);
    },
  };
}

const plain = (text = "") => text.replaceAll("\r\n", "\n");

function fieldOf(form: HTMLFormElement | null, name: string) {
  return form?.elements.namedItem(name) as HTMLInputElement | null | undefined;
}

function readTyped(form: HTMLFormElement | null, names: Typing): Typing {
  const entries = Object.keys(names).map((name) => [name, fieldOf(form, name)?.value ?? ""]);
  return Object.fromEntries(entries);
}
