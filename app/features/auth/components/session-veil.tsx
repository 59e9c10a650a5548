import { useEffect, useRef, useState } from "react";
import { signInAgain } from "~/ui/autosave-status.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { pageTitle } from "~content/site.ts";
import { useSite } from "~content/use-site.ts";

type SignedInAs = "own" | "none" | "other";

// site.ts writes the id of the user signed in on this browser to `data-signed-in`; empty if none.
function useSignedInAs(userId: string): SignedInAs {
  const [user, setUser] = useState<SignedInAs>("own");
  useEffect(() => {
    const follow = () => {
      const { signedIn = userId } = document.documentElement.dataset;
      setUser(signedIn === userId ? "own" : signedIn ? "other" : "none");
    };
    // Catches earlier changes. site.ts sees what React has just rendered in a microtask of its own.
    queueMicrotask(follow);
    document.addEventListener("session", follow);
    return () => document.removeEventListener("session", follow);
  }, [userId]);
  return user;
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
  const { name } = useSite();
  const user = useSignedInAs(userId);
  const veil = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = veil;
    if (user === "own") current?.close();
    else if (!current?.open) current?.showModal();
  }, [user]);
  const text = words[user === "other" ? "other" : "none"];
  useEffect(() => {
    if (user === "own") return;
    // The title may contain a name or a lesson, and is printed on every sheet.
    const { title } = document;
    document.title = pageTitle({ name }, text.title);
    return () => {
      document.title = title;
    };
  }, [user, text, name]);
  return (
    <dialog
      ref={veil}
      className="session-veil"
      aria-labelledby="session-veil-title"
      onCancel={(event) => event.preventDefault()}
      // Browsers close the dialog on a second Escape in spite of `onCancel`.
      onClose={() => user !== "own" && veil.current?.showModal()}
    >
      <h2 id="session-veil-title" className="text-2xl">
        {text.title}
      </h2>
      <p className="text-ink-soft">{text.text}</p>
      <p>
        <a
          className={buttonStyles({})}
          {...(user === "other" ? { href: "/my-courses" } : signInAgain)}
        >
          {text.link}
        </a>
      </p>
    </dialog>
  );
}
