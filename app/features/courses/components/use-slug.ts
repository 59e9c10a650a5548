import { useEffect, useRef, useState } from "react";
import type { SlugAnswer } from "../slugs/queries.server.ts";

type Asked = {
  kind: "course" | "lesson";
  id?: string | undefined;
  error?: string | undefined;
  /** Of what is edited: when it was saved, the slug no longer follows the title. */
  revision?: number | undefined;
  titleName?: string;
  moduleName?: string;
};

/** After the last letter, before the server is asked. */
const pauseMs = 250;
/** Saving waits so long for a proposal; then it goes without, and what is missing is said. */
const patienceMs = 5000;

/**
 * Lets a slug follow the title of its form and checks it while it is typed. A form that is sent
 * before the title's slug is known waits for it: a slug stands in links for good.
 */
export function useSlug(asked: Asked) {
  const { kind, id, error, revision, titleName = "title", moduleName = "moduleId" } = asked;
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
    /** The title has a slug that is not known yet. */
    let isOpen = false;
    let isWaiting = false;

    async function ask(question: Record<string, string>) {
      asking.abort();
      asking = new AbortController();
      const { signal } = asking;
      const query = { kind, id: id ?? "", moduleId: typedIn(moduleName), ...question };
      const found = await fetch(`/admin/slug?${new URLSearchParams(query)}`, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      })
        .then((response) => response.json() as Promise<SlugAnswer>)
        // Saving says it as well.
        .catch(() => null);
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

    /** Before anybody else hears of it; what is sent in the end is the same form once more. */
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

    /** What is typed while it waits is asked for too. */
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

/** Marks an input event as the field's own doing. */
const ownInput = "slug";

/** Whoever saves the form while it is typed is told as well. */
function put(input: HTMLInputElement, value: string) {
  input.value = value;
  input.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: ownInput }));
}
