import { type ReactNode, StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { keepEarlyTyping } from "./ui/early-typing.ts";
import { keepSession } from "./ui/shell/keep-session.ts";

/**
 * The server counts days where the student lives. Only pages that hydrate tell it: those of
 * somebody signed in and those where she signs in. Whoever only reads gets no cookie.
 */
function tellTimeZone() {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone) return;
  // Over https as the server names its own cookies (platform/auth/cookies.ts).
  const [prefix, secure] = location.protocol === "https:" ? ["__Host-", "; secure"] : ["", ""];
  const cookie = `${prefix}tz=${encodeURIComponent(zone)}`;
  if (document.cookie.split("; ").includes(cookie)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not everywhere
  document.cookie = `${cookie}; path=/; max-age=31536000; samesite=lax${secure}`;
}

/** Its effect comes after those of the whole page: then everybody listens. */
function Arrival({ children }: { children: ReactNode }) {
  // Not within the effect: there, React would not answer each field by itself.
  useEffect(() => queueMicrotask(giveBackTyping), []);
  return children;
}

tellTimeZone();
keepSession();
const giveBackTyping = keepEarlyTyping();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Arrival>
        <HydratedRouter />
      </Arrival>
    </StrictMode>,
  );
});
