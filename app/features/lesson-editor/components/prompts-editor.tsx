import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide";
import { useEffect, useId, useRef, useState } from "react";
import {
  moveItem,
  type PromptsError,
  promptRows,
  readPrompts,
  rowsText,
} from "~/features/courses/prompts.ts";
import type { Prompt } from "~/features/courses/schema.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";

type Props = {
  defaultValue: string;
  error: string | undefined;
  detail: string | null;
};

/** Edits a lesson's prompts as a list or as JSON. The list writes into the JSON field, which the
 * form submits. Without scripts there is only the field. */
export function PromptsEditor({ defaultValue, error, detail }: Props) {
  const id = useId();
  const [text, setText] = useState(defaultValue);
  const [view, setView] = useState<"list" | "json">(
    promptRows(defaultValue) === null ? "json" : "list",
  );
  const [refused, setRefused] = useState<PromptsError | null>(null);
  useEffect(() => setRefused(error ? { message: error, detail } : null), [error, detail]);
  // Buttons change the text too, and the field has its new text only after React's commit.
  const field = useRef<HTMLTextAreaElement>(null);
  const announced = useRef(text);
  useEffect(() => {
    if (announced.current === text) return;
    announced.current = text;
    field.current?.dispatchEvent(new Event("input", { bubbles: true }));
  }, [text]);

  function toggle() {
    const read = readPrompts(text);
    if (view === "json" && promptRows(text) === null)
      return setRefused("error" in read ? read.error : null);
    setView(view === "json" ? "list" : "json");
  }

  function change(next: string) {
    setRefused(null);
    setText(next);
  }

  const rows = promptRows(text);
  const isList = view === "list" && rows !== null;
  return (
    <section
      aria-labelledby={`${id}-title`}
      className="prompts"
      data-view={isList ? "list" : "json"}
    >
      <div className="prompts-head">
        <h2 id={`${id}-title`}>Journal prompts</h2>
        <Button variant="link" size="sm" className="prompts-toggle" onClick={toggle}>
          {isList ? "Edit as JSON" : "Edit as a list"}
        </Button>
      </div>
      {rows && <PromptList rows={rows} onRows={(next) => change(rowsText(next))} />}
      {isList && refused && (
        <p className="field-error" id={`${id}-list-error`}>
          {refused.message}. {refused.detail}
        </p>
      )}
      <div className="prompts-json">
        <Field
          label="Prompts as JSON"
          hint={
            'A list like [{"question": "…", "placeholder": "…"}]. Leave it empty to keep what is there; write [] to have none.'
          }
          error={
            !isList && refused
              ? [refused.message, refused.detail].filter(Boolean).join(". ")
              : undefined
          }
        >
          <Textarea
            ref={field}
            name="prompts"
            value={text}
            onChange={({ target: { value } }) => change(value)}
            className="prompts-field"
            spellCheck={false}
          />
        </Field>
      </div>
    </section>
  );
}

function PromptList({ rows, onRows }: { rows: Prompt[]; onRows: (rows: Prompt[]) => void }) {
  const list = useRef<HTMLOListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const [said, setSaid] = useState("");
  /** What to focus after the change is rendered: a row, and a part of it. */
  const next = useRef<{ row: number; part: string } | null>(null);
  useEffect(() => {
    if (!next.current) return;
    const { row, part } = next.current;
    next.current = null;
    const item = list.current?.children[row];
    const wanted = item?.querySelector<HTMLElement>(`[data-part="${part}"]:not(:disabled)`);
    const other = item?.querySelector<HTMLElement>("[data-part]:not(:disabled)");
    (wanted ?? other ?? add.current)?.focus();
  });

  const set = (index: number, change: Partial<Prompt>) =>
    onRows(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));

  function move(from: number, to: number, part: string) {
    next.current = { row: to, part };
    setSaid(`Prompt ${from + 1} is now prompt ${to + 1} of ${rows.length}.`);
    onRows(moveItem(rows, from, to));
  }

  function remove(index: number) {
    next.current = { row: Math.min(index, rows.length - 2), part: "question" };
    setSaid(`Prompt ${index + 1} removed.`);
    onRows(rows.toSpliced(index, 1));
  }

  return (
    <div className="prompts-list">
      {rows.length === 0 && (
        <p className="text-ink-soft">
          No prompts yet. A prompt is a question with a box for the student’s own words.
        </p>
      )}
      {rows.length > 0 && (
        <ol ref={list}>
          {rows.map(({ question, placeholder }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names, and hold nothing of their own
            <li key={index}>
              <Field label={`Question ${index + 1}`}>
                <Textarea
                  data-part="question"
                  rows={2}
                  value={question}
                  onChange={({ target }) => set(index, { question: target.value })}
                />
              </Field>
              <Field label={`Placeholder ${index + 1}`} optional>
                <Input
                  dense
                  value={placeholder}
                  onChange={({ target }) => set(index, { placeholder: target.value })}
                />
              </Field>
              <div className="prompts-buttons">
                <Button
                  variant="ghost"
                  size="icon"
                  data-part="up"
                  aria-label={`Move prompt ${index + 1} up`}
                  disabled={index === 0}
                  onClick={() => move(index, index - 1, "up")}
                >
                  <Icon of={ArrowUp} />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  data-part="down"
                  aria-label={`Move prompt ${index + 1} down`}
                  disabled={index === rows.length - 1}
                  onClick={() => move(index, index + 1, "down")}
                >
                  <Icon of={ArrowDown} />
                </Button>
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove prompt ${index + 1}`}
                  onClick={() => remove(index)}
                >
                  <Icon of={Trash2} />
                </Button>
              </div>
            </li>
          ))}
        </ol>
      )}
      <Button
        ref={add}
        variant="outline"
        size="sm"
        onClick={() => {
          next.current = { row: rows.length, part: "question" };
          onRows([...rows, { question: "", placeholder: "" }]);
        }}
      >
        <Icon of={Plus} /> Add a prompt
      </Button>
      <p className="sr-only" role="status">
        {said}
      </p>
    </div>
  );
}
