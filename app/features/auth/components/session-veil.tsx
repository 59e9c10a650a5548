import { useEffect, useRef, useState } from "react";
import { buttonStyles } from "~/ui/button-styles.ts";
import { pageTitle } from "~content/site.ts";

type Hands = "own" | "none" | "other";

// site.ts writes the id of the user signed in on this browser to `data-hands`; empty if none.
function useHands(userId: string): Hands {
  const [hands, setHands] = useState<Hands>("own");
  useEffect(() => {
    const follow = () => {
      const { hands = userId } = document.documentElement.dataset;
      setHands(hands === userId ? "own" : hands ? "other" : "none");
    };
    // Catches earlier changes. site.ts sees what React has just rendered in a microtask of its own.
    queueMicrotask(follow);
    document.addEventListener("session", follow);
    return () => document.removeEventListener("session", follow);
  }, [userId]);
  return hands;
}

const words = {
  none: {
    title: "You are signed out",
    text: "What you typed here is still here. It comes back into view when you sign in again.",
    link: "Sign in again in a new tab",
  },
  other: {
    title: "Somebody else is signed in now",
    text: "This page belongs to another account. It comes back into view when that account signs in again.",
    link: "Go to the account that is signed in",
  },
};

/** Covers a page in every tab once its user signs out in one; their input is not lost. */
export function SignedOutOverlay({ userId }: { userId: string }) {
  const hands = useHands(userId);
  const veil = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = veil;
    if (hands === "own") current?.close();
    else if (!current?.open) current?.showModal();
  }, [hands]);
  const text = words[hands === "other" ? "other" : "none"];
  useEffect(() => {
    if (hands === "own") return;
    // The title may contain a name or a lesson, and is printed on every sheet.
    const { title } = document;
    document.title = pageTitle(text.title);
    return () => {
      document.title = title;
    };
  }, [hands, text]);
  return (
    <dialog
      ref={veil}
      className="session-veil"
      aria-labelledby="session-veil-title"
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog on a second Escape in spite of `onCancel`.
      onClose={() => hands !== "own" && veil.current?.showModal()}
    >
      <h2 id="session-veil-title" className="text-2xl">
        {text.title}
      </h2>
      <p className="text-ink-soft">{text.text}</p>
      <p>
        <a
          className={buttonStyles({})}
          {...(hands === "other"
            ? { href: "/my-courses" }
            : { href: "/auth", target: "_blank", rel: "noreferrer" })}
        >
          {text.link}
        </a>
      </p>
    </dialog>
  );
}
