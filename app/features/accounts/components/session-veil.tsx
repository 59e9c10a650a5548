import { useEffect, useRef, useState } from "react";
import { buttonStyles } from "~/ui/button-styles.ts";
import { pageTitle } from "~content/site.ts";

type Hands = "own" | "none" | "other";

/** Who is signed in on this browser, as site.ts tells it, compared with whose page this is. */
function useHands(userId: string): Hands {
  const [hands, setHands] = useState<Hands>("own");
  useEffect(() => {
    const follow = () => {
      const { hands = userId } = document.documentElement.dataset;
      setHands(hands === userId ? "own" : hands ? "other" : "none");
    };
    // What changed before; site.ts learns what React has just rendered in a microtask of its own.
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

/**
 * Covers a personal page in every tab once its owner has signed out in one of them, without taking
 * anything away: the next person at this computer reads nothing, and she loses nothing.
 */
export function SessionVeil({ userId }: { userId: string }) {
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
    // The title may be a name or a lesson, and is printed at the top of each sheet.
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
      // Browsers let a second Escape through.
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
