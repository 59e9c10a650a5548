import { type ReactNode, StrictMode, startTransition, useEffect } from "react";
import { hydrateRoot } from "react-dom/client";
import { HydratedRouter } from "react-router/dom";
import { restoreEarlyTyping } from "./ui/early-typing.ts";
import { pressInstrumentation, watchConnection } from "./ui/lost-connection.ts";
import { keepSession } from "./ui/shell/keep-session.ts";

// The server counts days in the student's time zone. Only pages that hydrate send it: those of
// signed-in users and the sign-in pages. A visitor who only reads gets no cookie.
function tellTimeZone() {
  const tz = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!tz || document.cookie.includes(`tz=${encodeURIComponent(tz)}`)) return;
  const body = new URLSearchParams({ tz });
  fetch("/api/preferences", { method: "POST", keepalive: true, body }).catch(() => {});
}

// Its effect runs after those of the whole page: then every listener is attached.
function Arrival({ children }: { children: ReactNode }) {
  // Not within the effect: there, React would not process each field by itself.
  useEffect(() => queueMicrotask(giveBackTyping), []);
  return children;
}

tellTimeZone();
keepSession();
watchConnection();
const giveBackTyping = restoreEarlyTyping();
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <Arrival>
        <HydratedRouter instrumentations={[pressInstrumentation]} />
      </Arrival>
    </StrictMode>,
  );
});
