import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { usePost } from "./ask-site.ts";

export type ConfirmQuestion = {
  title: string;
  text: string;
  yes: string;
  onYes: () => unknown;
};

/** Asks before something is deleted. @returns the dialog to render, and a function to ask */
export function useAsk(): [ReactNode, (question: ConfirmQuestion) => void] {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [question, setQuestion] = useState<ConfirmQuestion | null>(null);
  useEffect(() => {
    if (question) dialog.current?.showModal();
  }, [question]);
  const confirm = () => {
    dialog.current?.close();
    void question?.onYes();
  };
  const node = question && (
    <ConfirmDialog
      ref={dialog}
      id={id}
      title={question.title}
      onClose={() => setQuestion(null)}
      form={
        <Button variant="destructive" onClick={confirm}>
          {question.yes}
        </Button>
      }
    >
      <p>{question.text}</p>
    </ConfirmDialog>
  );
  return [node, setQuestion];
}

type RemoveDialogProps = {
  id: string;
  title: string;
  text: string;
  action: string;
  fields: Record<string, string>;
  yes: string;
  onRemoved: () => unknown;
  /** Called after a refusal: the question may have been about something that has changed. */
  refresh: () => unknown;
};

/** Asks before something stored is removed, and removes it; also without scripts. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { id, title, text, action, fields, yes, onRemoved, refresh } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const { busy, error, setError, post } = usePost(action);
  async function remove(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!(await post(fields))?.ok) return;
    dialog.current?.close();
    await onRemoved();
  }
  // Not while it is open: what it asks about must not change.
  function lookAgain() {
    if (!error) return;
    setError(null);
    void refresh();
  }
  return (
    <ConfirmDialog
      ref={dialog}
      id={id}
      title={title}
      onClose={lookAgain}
      form={
        <form method="post" action={action} onSubmit={remove}>
          {Object.entries(fields).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <Button type="submit" variant="destructive" busy={busy} busyLabel="Removing">
            {yes}
          </Button>
        </form>
      }
    >
      <p>{text}</p>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
    </ConfirmDialog>
  );
}
