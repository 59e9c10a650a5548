import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { longestSlug, slugMessages } from "../messages.ts";
import type { SlugCheck } from "../slugs.server.ts";

type Asked = {
  kind: "course" | "lesson";
  id?: string | undefined;
  error?: string | undefined;
  /** A new revision (after a save) stops the slug from following the title. */
  revision?: number | undefined;
  titleName?: string;
  moduleName?: string;
};

/** From the last keystroke until the server is asked, in milliseconds. */
const pauseMs = 250;
/** The longest wait of a save for a proposal; then it is sent without, and errors are shown. */
const patienceMs = 5000;

/** Derives a slug from its form's title and checks it. Submits wait: a slug stays in links. */
function useSlug(asked: Asked) {
  const { kind, id, error, revision, titleName = "title", moduleName = "moduleId" } = asked;
  const input = useRef<HTMLInputElement>(null);
  const [answer, setAnswer] = useState<SlugCheck | null>(null);
  // The error of a rejected form is the newest known result.
  useEffect(() => {
    setAnswer(null);
    if (error) input.current?.focus();
  }, [error]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was saved begins again
  useEffect(() => {
    const form = input.current?.form;
    if (!form) return;
    const typedIn = (name: string) =>
      (form.elements.namedItem(name) as HTMLInputElement | null)?.value ?? "";
    let follows = input.current?.value === "";
    let asking = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The title has a slug that is not known yet. */
    let isOpen = false;
    let isWaiting = false;

    async function ask(question: Record<string, string>) {
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      const query = { kind, id: id ?? "", moduleId: typedIn(moduleName), ...question };
      const answer = fetch(`/admin/slug?${new URLSearchParams(query)}`, { signal })
        .then((response) => response.json() as Promise<SlugCheck>)
        // Ignored: saving reports it too.
        .catch(() => null);
      const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
      const found = await Promise.race([answer, late]);
      if (signal.aborted) return;
      isOpen = false;
      if (!found) return;
      if (!("title" in question)) return setAnswer(found);
      setAnswer(null);
      if (follows && input.current) put(input.current, found.proposal);
    }

    function askNow() {
      const slug = input.current?.value ?? "";
      if (follows) return isOpen ? ask({ title: typedIn(titleName) }) : undefined;
      return slug ? ask({ slug }) : undefined;
    }

    function onInput({ target, detail }: Event & { detail?: unknown }) {
      if (detail === ownInput) return;
      const { name, value } = target as HTMLInputElement;
      if (target === input.current) follows = value === "";
      else if (name !== moduleName && !(name === titleName && follows)) return;
      clearTimeout(timer);
      asking.abort();
      setAnswer(null);
      isOpen = follows && typedIn(titleName).trim() !== "";
      timer = setTimeout(askNow, pauseMs);
    }

    /** Runs before all other handlers; afterwards the same form is submitted once more. */
    function onSubmit(event: SubmitEvent) {
      if (!isOpen) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (isWaiting) return;
      isWaiting = true;
      void whenAnswered().finally(() => {
        isWaiting = false;
        isOpen = false;
        form?.requestSubmit(event.submitter);
      });
    }

    /** Also checks what is typed while it waits. */
    async function whenAnswered() {
      while (isOpen && form?.isConnected) {
        clearTimeout(timer);
        await askNow();
      }
    }

    form.addEventListener("input", onInput);
    form.addEventListener("submit", onSubmit, { capture: true });
    return () => {
      form.removeEventListener("input", onInput);
      form.removeEventListener("submit", onSubmit, { capture: true });
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

const ownInput = "slug";

function put(input: HTMLInputElement, value: string) {
  input.value = value;
  input.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: ownInput }));
}

type Props = {
  kind: "course" | "lesson";
  /** The edited item, which may keep its own slug. */
  id?: string | undefined;
  defaultValue?: string | undefined;
  error?: string | undefined;
  /** A free slug, proposed when the form was rejected. */
  proposal?: string | undefined;
  revision?: number;
  readOnly?: boolean;
  hint?: ReactNode;
  titleName?: string;
  moduleName?: string;
};

/** The field `slug`. It follows the title until the user types in it. Plain without scripts. */
export function SlugField(props: Props) {
  const { kind, defaultValue, error, proposal, readOnly, hint } = props;
  const { input, answer, use } = useSlug(props);
  const offered = answer ? (answer.free ? null : answer.proposal) : proposal;
  const fieldError = answer ? fieldErrorOf(kind, answer) : error;
  return (
    <div>
      <Field label="Slug" hint={hint} error={fieldError}>
        <Input
          ref={input}
          name="slug"
          defaultValue={defaultValue}
          required
          maxLength={longestSlug}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          dense
        />
      </Field>
      <div role="status" className="slug-status">
        {answer?.free && <span>{slugMessages.free}</span>}
        {offered && (
          <Button variant="soft" size="sm" onClick={() => use(offered)}>
            Use “{offered}”
          </Button>
        )}
      </div>
    </div>
  );
}

function fieldErrorOf(kind: Props["kind"], { problem }: SlugCheck) {
  if (!problem) return undefined;
  return problem === "taken" ? slugMessages.taken[kind] : slugMessages.invalid;
}
