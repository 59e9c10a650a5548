import { type ReactNode, type Ref, useEffect, useEffectEvent, useRef } from "react";
import { SignInAgain } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import {
  photographAlt,
  photographLimits,
  photographMessages,
  photographPath,
  photographTypes,
} from "../photograph-messages.ts";
import type { ShownPhotograph } from "../schema.ts";
import {
  forgetChanges,
  queuePhotograph,
  removePhotograph,
  tryAgain,
  usePhotographQueue,
} from "./photograph-queue.ts";

export { queuePhotograph };

type Own = { userId: string; lessonId: string; photographs: ShownPhotograph[] };

type ViewProps = {
  lessonId: string;
  photographs: ShownPhotograph[];
  /** How one is deleted. */
  deletion: (photograph: ShownPhotograph) => ReactNode;
  /** For one more. */
  field?: ReactNode;
  children?: ReactNode;
};

/** The photographs of a lesson's journal, and the field for one more. */
export function PhotographsView({ lessonId, photographs, deletion, field, children }: ViewProps) {
  const isFull = photographs.length >= photographLimits.ofLesson;
  return (
    <div id={`photographs-${lessonId}`} className="photographs">
      {photographs.length > 0 && (
        <ul className="photograph-list">
          {photographs.map((photograph) => (
            <li key={photograph.id}>
              <PhotographLink {...photograph} />
              {deletion(photograph)}
            </li>
          ))}
        </ul>
      )}
      {isFull ? <p className="field-hint">{photographMessages.isFull}</p> : field}
      {children}
    </div>
  );
}

export function PhotographLink({ id, width, height, added }: ShownPhotograph) {
  return (
    <a href={photographPath(id)} target="_blank" rel="noreferrer" className="photograph">
      <img
        src={photographPath(id)}
        alt={photographAlt(added)}
        {...{ width, height }}
        loading="lazy"
      />
    </a>
  );
}

type FieldProps = {
  lessonId: string;
  ref?: Ref<HTMLInputElement>;
  /** Without it, the form around the field sends the file. */
  onFile?: (file: File) => void;
};

export function PhotographField({ lessonId, ref, onFile }: FieldProps) {
  return (
    <>
      <Field
        id={`photograph-${lessonId}`}
        label="Add a photograph of a handwritten page"
        hint={photographMessages.hint}
      >
        <Input
          ref={ref}
          type="file"
          name="picture"
          accept={photographTypes}
          onChange={({ currentTarget: input }) => {
            const file = input.files?.[0];
            // Otherwise, choosing the same file again would not count as a change.
            if (onFile) input.value = "";
            if (file) onFile?.(file);
          }}
        />
      </Field>
      <noscript>
        <Button type="submit" name="intent" value="photograph" variant="outline" size="sm">
          Save this photograph
        </Button>
      </noscript>
    </>
  );
}

function Folded({ children }: { children: ReactNode }) {
  return (
    <details className="photograph-add print:hidden" suppressHydrationWarning>
      <summary className={buttonStyles({ variant: "link", size: "sm" })}>Add a photograph</summary>
      {children}
    </details>
  );
}

type DeletionProps = { photograph: ShownPhotograph; onClick?: () => void };

export function DeletePhotograph({ photograph: { id, added }, onClick }: DeletionProps) {
  return (
    <details className="photograph-delete print:hidden">
      <summary className={buttonStyles({ variant: "link", size: "sm" })}>
        Delete<span className="sr-only">: {photographAlt(added)}</span>
      </summary>
      <p className="text-sm">It cannot be brought back.</p>
      <Button
        {...(onClick ? {} : { type: "submit", name: "delete-photograph", value: id })}
        variant="outline"
        size="sm"
        onClick={onClick}
      >
        Yes, delete it
      </Button>
    </details>
  );
}

/** What was done before this was loaded: one was chosen, or is to be deleted. */
export type Begun = { file?: File; deleted?: string };

type LiveProps = Own & {
  begun?: Begun | null;
  /** The field stands behind a line: where the photographs of many lessons stand below each other. */
  isFolded?: boolean;
  deletion?: ViewProps["deletion"];
};

/** Sends each photograph as soon as it is chosen, one after the other (photograph-queue.ts). */
export function Photographs({ userId, lessonId, begun, isFolded, ...props }: LiveProps) {
  const { added, gone, said, isWaiting, fault } = usePhotographQueue(lessonId);
  const field = useRef<HTMLInputElement>(null);

  async function remove(id: string) {
    await removePhotograph(lessonId, id);
    field.current?.focus();
  }

  const begin = useEffectEvent(() => {
    if (begun?.deleted) void remove(begun.deleted);
    if (begun) field.current?.focus({ preventScroll: true });
  });
  useEffect(() => begin(), []);

  useEffect(() => () => forgetChanges(lessonId), [lessonId]);

  const known = new Set(props.photographs.map(({ id }) => id));
  const photographs = [...props.photographs, ...added.filter(({ id }) => !known.has(id))].filter(
    ({ id }) => !gone.includes(id),
  );
  const byButton = (photograph: ShownPhotograph) => (
    <DeletePhotograph photograph={photograph} onClick={() => void remove(photograph.id)} />
  );
  const add = (file: File) => queuePhotograph({ userId, lessonId }, file);
  const one = <PhotographField lessonId={lessonId} ref={field} onFile={add} />;
  return (
    <PhotographsView
      {...{ lessonId, photographs }}
      deletion={props.deletion ?? byButton}
      field={isFolded ? <Folded>{one}</Folded> : one}
    >
      <p
        role="status"
        className={`text-sm ${isFolded ? "" : "min-h-6"} ${fault ? "text-clay" : "text-ink-soft"}`}
      >
        {isWaiting && (fault?.message ?? photographMessages.sending)}{" "}
        {fault?.isSignedOut && <SignInAgain />} {said}
      </p>
      {fault && (
        <Button variant="outline" size="sm" onClick={() => tryAgain()}>
          Try again now
        </Button>
      )}
    </PhotographsView>
  );
}
