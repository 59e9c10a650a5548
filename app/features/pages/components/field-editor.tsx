import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { AutosaveStatus } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { ListField } from "~content/fields.ts";
import { draftStates, undecidedStates } from "../messages.ts";
import { fieldsOf, placeLabel } from "../rules.ts";
import type { FieldValue, PageEditing } from "../schema.ts";
import { Box } from "./field-boxes.tsx";
import { type OtherText, useFieldDraft } from "./use-field-draft.ts";

type Item = Record<string, string>;

type Props = {
  page: PageEditing;
  field: string;
  /** Of a list: only this one, where the page shows it. */
  item?: number | undefined;
  /** What was refused, without scripts. */
  typed?: FieldValue | undefined;
  /** Receives the place as it will be shown. */
  onShown?: (shown: FieldValue) => void;
  onClose?: () => void;
};

/** One place of a page: saved as a draft while it is typed, checked, and shown as it will be. Without
 * scripts it is a form. */
export default function FieldEditor({ page, field, item, typed, onShown, onClose }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [at, setAt] = useState(item);
  /** Pictures on their way to a box: it stays where it is until they have arrived. */
  const [uploads, setUploads] = useState(0);
  const isUploading = uploads > 0;
  const onUploading = useCallback((by: number) => setUploads((now) => now + by), []);
  const draft = useFieldDraft(form, page, { field, typed });
  const problems = usePreview(page.page, field, draft.value, onShown);
  const place = fieldsOf(page.kind)[field];
  useEffect(() => {
    if (!onClose) return;
    form.current?.scrollIntoView({ block: "nearest" });
    form.current
      ?.querySelector<HTMLElement>("input:not([type=hidden]), textarea")
      ?.focus({ preventScroll: true });
  }, [onClose]);
  if (!place) return null;
  return (
    <form
      ref={form}
      method="post"
      action={`/admin/pages/${page.page}?field=${field}`}
      className="page-editor"
      aria-label={placeLabel(page.kind, { field, item: at })}
      onSubmit={(event) => onClose && event.preventDefault()}
      onKeyDown={(event) => event.key === "Escape" && !isUploading && onClose?.()}
    >
      <input type="hidden" name="seen" value={draft.seen} />
      {draft.other && <Choice other={draft.other} mine={draft.value} onChoose={draft.settle} />}
      {place.kind === "list" ? (
        <Items
          place={place}
          items={draft.value as Item[]}
          at={at}
          problems={problems}
          uploads={{ isUploading, onUploading }}
          onChange={(items, isTyped) => draft.change(items, isTyped)}
          onMove={setAt}
        />
      ) : (
        <Box
          name="value"
          place={place}
          value={String(draft.value)}
          problem={problems[""]}
          onUploading={onUploading}
          onChange={draft.change}
        />
      )}
      {place.kind === "list" && problems[""] && <p className="field-error">{problems[""]}</p>}
      <div className="page-editor-foot">
        <AutosaveStatus
          state={draft.state}
          messages={draft.other ? undecidedStates : draftStates}
        />
        {JSON.stringify(draft.value) !== JSON.stringify(page.published[field]) && (
          <Button
            variant="ghost"
            size="sm"
            disabled={isUploading}
            onClick={() => void draft.discard()}
          >
            Back to the published text
          </Button>
        )}
        {onClose ? (
          <Button size="sm" variant="outline" disabled={isUploading} onClick={onClose}>
            Close
          </Button>
        ) : (
          <noscript>
            <Button type="submit" size="sm">
              Save draft
            </Button>
          </noscript>
        )}
      </div>
    </form>
  );
}

type ChoiceProps = {
  other: OtherText;
  mine: FieldValue;
  onChoose: (text: FieldValue) => void;
};

function Choice({ other, mine, onChoose }: ChoiceProps) {
  const isElsewhere = other.from === "elsewhere";
  return (
    <Notice tone={isElsewhere ? "destructive" : "info"} live>
      <p>
        {isElsewhere
          ? `This text was changed elsewhere since you opened it (${other.about}). Yours is not saved yet. It says there:`
          : "This browser has a text for this place that could not be sent:"}
      </p>
      <blockquote className="page-editor-other">{inWords(other.value)}</blockquote>
      <p className="page-editor-foot">
        <Button size="sm" variant="outline" onClick={() => onChoose(other.value)}>
          {isElsewhere ? "Use that text" : "Use it"}
        </Button>
        <Button size="sm" variant="outline" onClick={() => onChoose(mine)}>
          {isElsewhere ? "Keep mine" : "Discard it"}
        </Button>
      </p>
    </Notice>
  );
}

function inWords(value: FieldValue): string {
  if (typeof value === "string") return value;
  return value.map((item) => Object.values(item).join("\n")).join("\n\n");
}

type ItemsProps = {
  place: ListField;
  items: Item[];
  at: number | undefined;
  problems: Record<string, string>;
  uploads: { isUploading: boolean; onUploading: (by: number) => void };
  onChange: (items: Item[], isTyped: boolean) => void;
  onMove: (at: number) => void;
};

function Items({ place, items, at, problems, uploads, onChange, onMove }: ItemsProps) {
  const { isUploading, onUploading } = uploads;
  const { one, of, min, max } = place;
  const blank = Object.fromEntries(Object.keys(of).map((part) => [part, ""]));
  const shown = items
    .map((item, index) => ({ item, index }))
    .filter(({ index }) => at === undefined || index === at);
  const isFixed = min === max;
  function move(index: number, by: number) {
    const others = items.toSpliced(index, 1);
    onChange(others.toSpliced(index + by, 0, items[index] ?? blank), false);
    if (at !== undefined) onMove(index + by);
  }
  function add(index: number) {
    onChange(items.toSpliced(index, 0, blank), false);
    if (at !== undefined) onMove(index);
  }
  return (
    <>
      {shown.map(({ item, index }) => (
        <fieldset key={index} id={`item-${index}`} className="page-editor-item">
          <legend>{`${sentenceCase(one)} ${index + 1} of ${items.length}`}</legend>
          {Object.entries(of).map(([part, field]) => (
            <Box
              key={part}
              name={`${index}.${part}`}
              place={field}
              value={item[part] ?? ""}
              problem={problems[`${index}.${part}`]}
              onUploading={onUploading}
              onChange={(text, isTyped = true) =>
                onChange(items.with(index, { ...item, [part]: text }), isTyped)
              }
            />
          ))}
          {!isFixed && (
            <div className="page-editor-foot">
              <Button
                size="sm"
                variant="ghost"
                disabled={isUploading || index === 0}
                onClick={() => move(index, -1)}
              >
                Move up
              </Button>
              <Button
                size="sm"
                variant="ghost"
                disabled={isUploading || index === items.length - 1}
                onClick={() => move(index, 1)}
              >
                Move down
              </Button>
              <Button
                size="sm"
                variant="ghost"
                disabled={isUploading || items.length <= min}
                onClick={() => onChange(items.toSpliced(index, 1), false)}
              >
                {`Remove this ${one}`}
              </Button>
              <Button
                size="sm"
                variant="ghost"
                disabled={isUploading || items.length >= max}
                onClick={() => add(index + 1)}
              >
                {`Add a ${one} below`}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {shown.length === 0 && (
        <p>
          <Button size="sm" variant="outline" onClick={() => add(items.length)}>
            {`Add a ${one}`}
          </Button>
        </p>
      )}
    </>
  );
}

const sentenceCase = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const pauseMs = 100;

/** Asks the site, soon after each pause in typing, how the place will look and what is wrong with it.
 * @returns what is wrong, by the parts of a list's items; '' for the place itself */
function usePreview(
  page: string,
  field: string,
  value: FieldValue,
  onShown: Props["onShown"],
): Record<string, string> {
  const [problems, setProblems] = useState<Record<string, string>>({});
  const isFirst = useRef(true);
  const show = useEffectEvent((shown: FieldValue) => onShown?.(shown));
  useEffect(() => {
    const asking = new AbortController();
    const wait = isFirst.current ? 0 : pauseMs;
    const wasFirst = isFirst.current;
    isFirst.current = false;
    const timer = setTimeout(async () => {
      const answer = await askPreview(page, { field, value }, asking.signal);
      if (!answer) return;
      setProblems(answer.problems);
      if (!wasFirst) show(answer.shown);
    }, wait);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [page, field, value]);
  return problems;
}

type Preview = { shown: FieldValue; problems: Record<string, string> };

async function askPreview(
  page: string,
  body: object,
  signal: AbortSignal,
): Promise<Preview | null> {
  try {
    const response = await fetch(`/admin/pages/${encodeURIComponent(page)}/preview`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/json" },
      body: JSON.stringify(body),
      redirect: "manual",
      signal,
    });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  }
}
