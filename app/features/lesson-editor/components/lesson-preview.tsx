import { type RefObject, useEffect, useRef, useState } from "react";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/inputs.tsx";
import { Prose } from "~/ui/prose.tsx";
import type { LessonPreview } from "../editor.server.ts";
import { formMessages } from "../messages.ts";
import { readFields } from "./use-lesson-draft.ts";

type Shown = {
  title: string;
  html: string;
  prompts: LessonPreview["prompts"];
  trouble: string | null;
};

const pauseMs = 350;
const busyMs = 3_000;

/** Renders the form on the server, soon after each pause in typing, one request at a time. */
function usePreview(form: RefObject<HTMLFormElement | null>, first: Shown): Shown {
  const [shown, setShown] = useState(first);
  useEffect(() => {
    const element = form.current;
    if (!element) return;
    let timer: number | undefined;
    let isAsking = false;
    let asked = "";
    let tookMs = 0;

    function later() {
      const title = (element?.elements.namedItem("title") as HTMLInputElement | null)?.value ?? "";
      setShown((now) => (now.title === title ? now : { ...now, title }));
      clearTimeout(timer);
      // A text that takes long to render is requested less often.
      timer = window.setTimeout(ask, Math.max(pauseMs, 2 * tookMs));
    }

    async function ask() {
      if (isAsking) return later();
      const { content, prompts } = readFields(element);
      const body = JSON.stringify({ content, prompts });
      if (body === asked) return;
      asked = body;
      isAsking = true;
      const started = performance.now();
      const answer = await askForPreview(body);
      tookMs = performance.now() - started;
      isAsking = false;
      if ("trouble" in answer) {
        asked = "";
        if (answer.isBusy) timer = window.setTimeout(ask, busyMs);
        return setShown((now) => ({ ...now, trouble: answer.trouble }));
      }
      setShown((now) => ({
        ...now,
        html: answer.html,
        // JSON is usually broken while it is being typed.
        prompts: answer.problem ? now.prompts : answer.prompts,
        trouble: null,
      }));
    }

    element.addEventListener("input", later);
    // The form may hold a draft, or text typed before the scripts loaded.
    later();
    return () => {
      clearTimeout(timer);
      element.removeEventListener("input", later);
    };
  }, [form]);
  return shown;
}

/** A busy site can render the preview a moment later. */
type Trouble = { trouble: string; isBusy: boolean };

async function askForPreview(body: string): Promise<LessonPreview | Trouble> {
  const because = (trouble: string, isBusy = false) => ({ trouble, isBusy });
  try {
    const headers = { "content-type": "application/json" };
    const request = { method: "POST", body, headers, redirect: "manual" } as const;
    const response = await fetch("/admin/lessons/preview", request);
    if (response.type === "opaqueredirect") return because(formMessages.signedOut);
    const answer = await response.json();
    return response.ok ? answer : because(answer.error.message, response.status === 503);
  } catch {
    return because("The preview will go on when the site can be reached.");
  }
}

type Props = {
  form: RefObject<HTMLFormElement | null>;
  title: string;
  html: string;
  pane: RefObject<HTMLElement | null>;
};

/** The lesson as a student sees it, next to its text. */
export function PreviewPane({ form, title, html, pane }: Props) {
  const first = useRef<Shown>({ title, html, prompts: null, trouble: null });
  const shown = usePreview(form, first.current);
  const isEmpty = !shown.title.trim() && !shown.html && !shown.prompts;
  return (
    <section
      ref={pane}
      aria-label="Preview"
      className="preview-pane"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
    >
      <p className="preview-trouble" aria-live="polite">
        {shown.trouble}
      </p>
      {isEmpty && (
        <p className="text-ink-soft">What you write appears here as a student sees it.</p>
      )}
      {shown.title.trim() && <p className="preview-title">{shown.title}</p>}
      <Prose html={shown.html} />
      {shown.prompts && (
        <div className="preview-prompts">
          <p className="preview-prompts-title">Journal Prompts for Reflection</p>
          {shown.prompts.map(({ question, placeholder }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike
            <Field key={index} label={`${index + 1}. ${question}`} prominent>
              <JournalBox placeholder={placeholder} readOnly tabIndex={-1} />
            </Field>
          ))}
        </div>
      )}
    </section>
  );
}
