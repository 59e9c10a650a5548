import {
  type MouseEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { CourseFormError, SavedForm } from "../course-forms.server.ts";

type Typed = Record<string, string>;

export type EditedFormProps<T extends Typed> = {
  id: string;
  typed: T;
  /** 0 for an item that does not exist yet. */
  revision: number;
  problem: CourseFormError<T> | null;
  saved?: SavedForm<T> | null;
};

type Fields<T extends Typed> = {
  defaults: T;
  fieldErrors: Record<string, string>;
  problem: CourseFormError<T> | null;
  base: SavedForm<T>;
  isNew: boolean;
  /** Creating leads to another page: text typed meanwhile would be lost. */
  readOnly: boolean;
};

type Props<T extends Typed> = EditedFormProps<T> & {
  thing: "course" | "module";
  /** What the stored version of another author has, by the field's label. */
  listStored: (theirs: T, mine: T) => readonly (readonly [label: string, value: string])[];
  children: (fields: Fields<T>) => ReactNode;
};

/** A form of the admin whose text outlives a refusal, a conflict and another form of its page. */
export function EditedForm<T extends Typed>({ thing, listStored, children, ...given }: Props<T>) {
  const { id, revision } = given;
  const { state, formData } = useNavigation();
  const busy = state !== "idle" && formData?.get("intent") === "save";
  const { form, defaults, base, problem, onSubmit, takeStored } = useEdited(given);
  const { fieldErrors = {}, theirs } = problem ?? {};
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, problem]);
  const isNew = revision === 0;
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      className="admin-form"
      preventScrollReset
      onSubmit={onSubmit}
    >
      <input type="hidden" name="intent" value="save" />
      <input type="hidden" name="id" value={id} />
      <input type="hidden" name="revision" value={base.revision} />
      {problem && theirs && (
        <Notice
          tone="warning"
          live
          title={`This ${thing} was changed elsewhere since you opened it`}
        >
          <p>Nothing of yours is saved yet. Below is what you typed; this is stored now:</p>
          <dl className="their-version">
            {listStored(theirs, problem.typed).map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          <p>
            Save again to put yours in its place, or{" "}
            <a href={`/admin/${thing}s/${id}`} onClick={takeStored}>
              take the stored one
            </a>
            .
          </p>
        </Notice>
      )}
      {children({ defaults, fieldErrors, problem, base, isNew, readOnly: isNew && busy })}
      <div>
        <Button type="submit" busy={busy} busyLabel="Saving...">
          {`${isNew ? "Create" : "Save"} ${thing}`}
        </Button>
      </div>
    </Form>
  );
}

/** Lets a form own its text: a reload neither replaces it nor renews the revision it saves over;
 * only its own save does, or a conflict that was shown. An untouched form follows them. */
function useEdited<T extends Typed>({
  typed,
  revision,
  problem,
  saved = null,
}: EditedFormProps<T>) {
  const form = useRef<HTMLFormElement>(null);
  const [defaults] = useState(problem?.typed ?? typed);
  const [base, setBase] = useState<SavedForm<T>>({
    typed: { ...typed, ...problem?.opened },
    revision: problem?.revision ?? revision,
  });
  // The response to another form on the page does not clear this error.
  const [shown, setShown] = useState(problem);
  const sent = useRef<Typed>({});
  const takesStored = useRef(false);

  const isUnsaved = () => {
    const now = readTyped(form.current, typed);
    return Object.keys(now).some((name) => now[name] !== plain(base.typed[name]));
  };

  useUnsaved(isUnsaved);

  /** Starts again from the stored values; text typed since the submit stays. */
  const begin = useEffectEvent((next: SavedForm<T>, replaced: Typed) => {
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

  const follow = useEffectEvent((stored: SavedForm<T>) => {
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

function readTyped(form: HTMLFormElement | null, names: Typed): Typed {
  const entries = Object.keys(names).map((name) => [name, fieldOf(form, name)?.value ?? ""]);
  return Object.fromEntries(entries);
}
