import { type ReactNode, type Ref, useEffect, useEffectEvent, useRef, useState } from "react";
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
import { deleteSent, type Fault, type Outcome, sendPhotograph } from "./send-photograph.ts";

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
    <details className="photograph-delete">
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
  begun?: Begun;
  /** The field stands behind a line: where the photographs of many lessons stand below each other. */
  isFolded?: boolean;
  deletion?: ViewProps["deletion"];
};

/** `fault`: why it could not be sent yet. */
type Waiting = { id: string; file: File; fault: Fault | null };

const retryMs = 15_000;

/** Sends each photograph as soon as it is chosen, one after the other. What cannot be sent stays in
 * the page and is sent again when the line, or the user, is back. */
export function Photographs({ userId, lessonId, begun, isFolded, ...props }: LiveProps) {
  const [added, setAdded] = useState<ShownPhotograph[]>([]);
  const [gone, setGone] = useState<string[]>([]);
  const [queue, setQueue] = useState<Waiting[]>([]);
  const [said, setSaid] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const sending = useRef<Promise<void>>(Promise.resolve());
  const [current] = queue;
  const fault = current?.fault;

  const add = (file: File) =>
    setQueue((all) => [...all, { id: crypto.randomUUID(), file, fault: null }]);
  const again = useEffectEvent(() =>
    setQueue((all) => all.map((one) => (one.fault ? { ...one, fault: null } : one))),
  );

  async function remove(id: string) {
    setSaid("");
    const why = await deleteSent(id);
    setSaid(why ?? photographMessages.deleted.title);
    if (!why) setGone((ids) => [...ids, id]);
    field.current?.focus();
  }

  const settle = useEffectEvent((sent: Outcome) => {
    if ("photograph" in sent) setAdded((all) => [...all, sent.photograph]);
    const isDone = "photograph" in sent || sent.isFinal;
    setSaid("photograph" in sent ? photographMessages.savedQuietly : sent.message);
    setQueue(([one, ...rest]) => (isDone || !one ? rest : [{ ...one, fault: sent }, ...rest]));
  });

  const begin = useEffectEvent(() => {
    if (begun?.file) add(begun.file);
    if (begun?.deleted) void remove(begun.deleted);
    if (begun) field.current?.focus({ preventScroll: true });
  });
  useEffect(() => begin(), []);

  useEffect(() => {
    if (!current || current.fault) return;
    let isOver = false;
    sending.current = sendPhotograph({ userId, lessonId, ...current }).then((sent) => {
      if (!isOver) settle(sent);
    });
    return () => {
      isOver = true;
    };
  }, [current, userId, lessonId]);

  // The lesson was completed, or another page has come: what waits for its turn is sent all the same.
  const leave = useEffectEvent(async () => {
    const waiting = fault ? queue : queue.slice(1);
    await sending.current;
    for (const one of waiting) await sendPhotograph({ userId, lessonId, ...one });
  });
  useEffect(() => () => void leave(), []);

  useEffect(() => {
    if (!fault) return;
    const tryAgain = () => again();
    const timer = setInterval(tryAgain, retryMs);
    const ended = new AbortController();
    const { signal } = ended;
    addEventListener("online", tryAgain, { signal });
    // The user has signed in again, in another tab (site/session.ts).
    document.addEventListener("session", tryAgain, { signal });
    // It is in this page alone.
    addEventListener("beforeunload", (event) => event.preventDefault(), { signal });
    return () => {
      clearInterval(timer);
      ended.abort();
    };
  }, [fault]);

  const known = new Set(props.photographs.map(({ id }) => id));
  const photographs = [...props.photographs, ...added.filter(({ id }) => !known.has(id))].filter(
    ({ id }) => !gone.includes(id),
  );
  const byButton = (photograph: ShownPhotograph) => (
    <DeletePhotograph photograph={photograph} onClick={() => void remove(photograph.id)} />
  );
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
        {current && !fault ? photographMessages.sending : said}{" "}
        {fault?.isSignedOut && <SignInAgain />}
      </p>
      {fault && (
        <Button variant="outline" size="sm" onClick={again}>
          Try again now
        </Button>
      )}
    </PhotographsView>
  );
}
