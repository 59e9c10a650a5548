import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Dialog } from "~/ui/dialog.tsx";

export type Question = {
  title: string;
  text: string;
  yes: string;
  no: string;
  onYes: () => unknown;
};

/** A question before something goes. @returns the dialog to be rendered, and a way to ask */
export function useAsk(): [ReactNode, (question: Question) => void] {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    if (question) dialog.current?.showModal();
  }, [question]);
  const close = () => dialog.current?.close();
  const confirm = () => {
    close();
    void question?.onYes();
  };
  const node = question && (
    <Dialog
      ref={dialog}
      id={id}
      title={question.title}
      description={question.text}
      onClose={() => setQuestion(null)}
    >
      <div className="media-actions">
        <Button variant="destructive" onClick={confirm}>
          {question.yes}
        </Button>
        <Button variant="outline" onClick={close}>
          {question.no}
        </Button>
      </div>
    </Dialog>
  );
  return [node, setQuestion];
}
