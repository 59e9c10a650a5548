import { useLayoutEffect, useRef } from "react";
import { type BlockerFunction, useBlocker } from "react-router";
import { Button } from "./button.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { hasUnsaved, useWaiting } from "./unsaved.ts";

const wouldLose: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && hasUnsaved();

/** Asks before a page with unsaved words (useUnsaved) gives way to another one. Once, in the frame. */
export function LeaveQuestion() {
  const blocker = useBlocker(wouldLose);
  const waiting = useWaiting();
  if (waiting) {
    const leave = () => {
      waiting.forget();
      waiting.send();
    };
    return <Question onStay={waiting.forget} onLeave={leave} />;
  }
  if (blocker.state !== "blocked") return null;
  const { key } = blocker.location;
  return <Question key={key} onStay={blocker.reset} onLeave={blocker.proceed} />;
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const isAnswered = useRef(false);
  /** At once: the event of its closing may come after they have gone on to something else. */
  function stay() {
    if (isAnswered.current) return;
    isAnswered.current = true;
    dialog.current?.close();
    onStay();
  }
  return (
    <ConfirmDialog
      ref={dialog}
      id="leave"
      title="Leave without saving?"
      onCancel={stay}
      onClose={stay}
      cancel={
        <Button variant="outline" onClick={stay}>
          Cancel
        </Button>
      }
      form={
        <Button variant="destructive" onClick={onLeave}>
          Leave without saving
        </Button>
      }
    >
      <p>What you typed on this page is not saved yet. If you leave, it is gone.</p>
    </ConfirmDialog>
  );
}
