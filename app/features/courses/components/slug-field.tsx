import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import type { SlugAnswer } from "../slugs/queries.server.ts";
import { longestSlug, slugTexts } from "../slugs/texts.ts";

type Props = {
  kind: "course" | "lesson";
  /** What is being edited: it may keep its own. */
  id?: string | undefined;
  defaultValue?: string | undefined;
  error?: string | undefined;
  /** A free one, from whoever refused the form. */
  proposal?: string | undefined;
  /** Of what is edited: when it was saved, the slug no longer follows the title. */
  revision?: number;
  hint?: ReactNode;
  /** Names of the fields of the same form that it is made from. */
  titleName?: string;
  moduleName?: string;
};

/** After the last letter, before the server is asked. */
const pauseMs = 250;

/**
 * The field `slug` of a form. Until somebody types in it, it follows the title; whatever stands
 * in it is checked while it is typed. Without scripts it is a plain field.
 */
export function SlugField(props: Props) {
  const { kind, defaultValue, error, proposal, hint } = props;
  const { input, answer, use } = useSlug(props);
  const offered = answer ? (answer.free ? null : answer.proposal) : proposal;
  const complaint = answer ? complaintOf(kind, answer) : error;
  return (
    <Field label="Slug" hint={hint} error={complaint}>
      <Input
        ref={input}
        name="slug"
        defaultValue={defaultValue}
        required
        maxLength={longestSlug}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        dense
      />
      <div role="status" className="slug-status">
        {answer?.free && <span>{slugTexts.free}</span>}
        {offered && (
          <Button variant="soft" size="sm" onClick={() => use(offered)}>
            Use “{offered}”
          </Button>
        )}
      </div>
    </Field>
  );
}

function complaintOf(kind: Props["kind"], { problem }: SlugAnswer) {
  if (!problem) return undefined;
  return problem === "taken" ? slugTexts.taken[kind] : slugTexts.invalid;
}

function useSlug(props: Props) {
  const { kind, id, error, revision, titleName = "title", moduleName = "moduleId" } = props;
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState<SlugAnswer | null>(null);
  // What a form was refused for is the newest that is known.
  useEffect(() => {
    setAnswer(null);
    if (error) input.current?.focus();
  }, [error]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was saved begins anew
  useEffect(() => {
    const form = input.current?.form;
    if (!form) return;
    const typedIn = (name: string) =>
      (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? "";
    let follows = input.current?.value === "";
    let asking = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function ask(question: Record<string, string>) {
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      const query = { kind, id: id ?? "", moduleId: typedIn(moduleName), ...question };
      const found = await fetch(`/admin/slug?${new URLSearchParams(query)}`, { signal })
        .then((response) => response.json() as Promise<SlugAnswer>)
        // Saving says it as well.
        .catch(() => null);
      if (!found || signal.aborted) return;
      if (!("title" in question)) return setAnswer(found);
      setAnswer(null);
      if (follows && input.current) put(input.current, found.proposal);
    }

    function onInput({ target, detail }: Event & { detail?: unknown }) {
      if (detail === ownInput) return;
      const { name, value } = target as HTMLInputElement;
      if (target === input.current) follows = value === "";
      else if (name !== moduleName && !(name === titleName && follows)) return;
      clearTimeout(timer);
      asking.abort();
      setAnswer(null);
      timer = setTimeout(() => {
        const slug = input.current?.value ?? "";
        if (follows) void (typedIn(titleName).trim() && ask({ title: typedIn(titleName) }));
        else if (slug) void ask({ slug });
      }, pauseMs);
    }

    form.addEventListener("input", onInput);
    return () => {
      form.removeEventListener("input", onInput);
      clearTimeout(timer);
      asking.abort();
      setAnswer(null);
    };
  }, [kind, id, revision, titleName, moduleName]);

  function use(slug: string) {
    if (!input.current) return;
    put(input.current, slug);
    setAnswer({ slug, free: true, proposal: slug, problem: null });
    input.current.focus();
  }
  return { input, answer, use };
}

/** Marks an input event as the field's own doing. */
const ownInput = "slug";

/** Whoever saves the form while it is typed is told as well. */
function put(input: HTMLInputElement, value: string) {
  input.value = value;
  input.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: ownInput }));
}
