import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Dialog } from "~/ui/dialog.tsx";

export type ConfirmQuestion = {
  title: string;
  text: string;
  yes: string;
  no: string;
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
