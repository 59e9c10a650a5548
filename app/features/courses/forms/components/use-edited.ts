import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { Problem, Saved } from "../commands.server.ts";

type Props<Typed> = {
  /** What is stored, as it was loaded last. */
  typed: Typed;
  /** 0 for what does not exist yet. */
  revision: number;
  problem: Problem<Typed> | null;
  /** What this form has just saved. */
  saved: Saved<Typed> | null;
};

type Typing = Record<string, string>;

/**
 * A form whose words are its own: what is loaded behind it neither takes them away nor renews the
 * revision that it saves over. Only its own save does, and a conflict that was shown. As long as
 * nothing is typed, it follows what is stored.
 */
export function useEdited<Typed extends Typing>({ typed, revision, problem, saved }: Props<Typed>) {
  const form = useRef<HTMLFormElement>(null);
  const [defaults] = useState(problem?.typed ?? typed);
  const [base, setBase] = useState<Saved<Typed>>({
    typed: { ...typed, ...problem?.opened },
    revision: problem?.revision ?? revision,
  });
  // Other presses on the page answer nothing of this, and must not take it away.
  const [told, setTold] = useState(problem);
  const sent = useRef<Typing>({});
  const takesStored = useRef(false);

  const isUnsaved = () => {
    const now = readTyped(form.current, typed);
    return Object.keys(now).some((name) => now[name] !== plain(base.typed[name]));
  };

  useUnsaved(isUnsaved);

  /** Begins anew; what was typed since it was sent stays. */
  const begin = useEffectEvent((next: Saved<Typed>, replaced: Typing) => {
    const now = readTyped(form.current, next.typed);
    for (const [name, value] of Object.entries(next.typed)) {
      const field = fieldOf(form.current, name);
      if (field && now[name] === replaced[name] && now[name] !== plain(value)) field.value = value;
    }
    takesStored.current = false;
    setBase(next);
    setTold(null);
  });
  useEffect(() => {
    if (saved) begin(saved, sent.current);
  }, [saved]);

  useEffect(() => {
    if (!problem) return;
    setTold(problem);
    setBase((before) => ({ ...before, revision: problem.revision }));
  }, [problem]);

  const follow = useEffectEvent((stored: Saved<Typed>) => {
    const mayFollow = told === null && stored.revision >= base.revision && !isUnsaved();
    if (takesStored.current || mayFollow) begin(stored, readTyped(form.current, stored.typed));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time it is loaded
  useEffect(() => follow({ typed, revision }), [typed]);

  return {
    form,
    defaults,
    base,
    told,
    onSubmit() {
      sent.current = readTyped(form.current, typed);
    },
    /** For the link that loads the page once more, in place of her words. */
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
