import type { ClientInstrumentation } from "react-router";

/* A lost connection never replaces a hydrated page: docs/decisions/016. */

type Press = { control: Element; form: HTMLFormElement | null };

const messages = {
  again: "No connection. We will try again when it is back.",
  notSent: "No connection. What you typed is still here. Please try again when it is back.",
  back: "The connection is back. Please try again.",
};
const firstPauseMs = 1000;
const longestPauseMs = 30_000;

let pressed: Press | null = null;
/** The press whose navigation is under way. */
let pending: Press | null = null;
/** Ends with the next navigation: the notice at a form that was not sent. */
let notSent = new AbortController();
let repeatsInARow = 0;

const isPlain = ({ metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  !(metaKey || ctrlKey || shiftKey || altKey);

function notePress(event: MouseEvent | SubmitEvent) {
  const target = event.target as Element;
  const isSubmit = "submitter" in event;
  const control = isSubmit ? (event.submitter ?? target) : target.closest("a[href], button");
  if (!control || !(isSubmit || isPlain(event))) return;
  const form = isSubmit ? (target as HTMLFormElement) : null;
  if (!isSubmit) repeatsInARow = 0;
  if (pending && (pending.control === control || (form && pending.form === form))) {
    event.preventDefault();
    event.stopImmediatePropagation();
  } else {
    const own = { control, form };
    pressed = own;
    // One that begins no navigation now is not the cause of a later one.
    setTimeout(() => {
      if (pressed === own) pressed = null;
    });
  }
}

/** Marks what was pressed (`data-pending`) while the router works on it. */
export const pressInstrumentation: ClientInstrumentation = {
  router: ({ instrument }) =>
    instrument({
      async navigate(call, { formMethod }) {
        const own = pressed;
        pressed = null;
        pending = own;
        notSent.abort();
        own?.control.setAttribute("data-pending", "");
        if (formMethod)
          for (const toast of document.querySelectorAll<HTMLElement>(
            ".toast[data-tone=destructive]",
          ))
            toast.hidden = true;
        await call();
        own?.control.removeAttribute("data-pending");
        if (pending === own) pending = null;
      },
    }),
};

/** At the pressed control; where nothing visible was pressed (Back), among the toasts. */
function showNotice(press: Press | null, text: string): HTMLElement {
  const control = press?.control;
  const notice = document.createElement("span");
  notice.role = "alert";
  notice.className = "line-lost";
  notice.textContent = text;
  if (control?.getClientRects().length) control.after(notice);
  else {
    notice.classList.add("toast");
    notice.dataset.tone = "destructive";
    document.querySelector("[data-toasts]")?.append(notice);
  }
  return notice;
}

/** Waits for the connection, and at most for so long. @throws what the signal was aborted with */
async function wait(pauseMs: number, signal: AbortSignal | null | undefined) {
  const own = new AbortController();
  await new Promise<unknown>((resolve, reject) => {
    setTimeout(resolve, pauseMs);
    addEventListener("online", resolve, own);
    signal?.addEventListener("abort", () => reject(signal.reason), own);
  }).finally(() => own.abort());
}

/** Calls until there is an answer, with growing pauses. `onLost` is called once, before the first. */
async function untilAnswered<T>(
  ask: () => Promise<T | null>,
  signal: AbortSignal | null | undefined,
  onLost: () => void,
): Promise<T> {
  for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
    const answer = await ask();
    if (answer) return answer;
    if (pause === firstPauseMs) onLost();
    await wait(pause, signal);
  }
}

/** HTML instead of data is of a proxy or a captive portal. */
const isForeign = ({ status, headers }: Response) =>
  (status === 200 || (status >= 502 && status <= 504)) &&
  headers.get("Content-Type")?.startsWith("text/html");

/** Lets the router's reading requests wait for the connection instead of failing. */
function holdReads() {
  const { fetch } = window;
  window.fetch = async (input, init) => {
    const isRead = input instanceof URL && input.pathname.endsWith(".data") && !init?.method;
    if (!isRead) return fetch(input, init);
    let notice: HTMLElement | undefined;
    const ask = async () => {
      try {
        const response = await fetch(input, init);
        if (isForeign(response)) return null;
        // One that breaks off is none.
        await response.clone().arrayBuffer();
        return response;
      } catch (error) {
        if (error instanceof TypeError) return null;
        throw error;
      }
    };
    try {
      return await untilAnswered(ask, init?.signal, () => {
        notice = showNotice(pending, messages.again);
      });
    } finally {
      notice?.remove();
    }
  };
}

/** Says at a form that it was not sent. With `data-repeat` it is sent again when the connection is
 * back, unless something was typed meanwhile. */
function keepUnsentForm() {
  const press = pending;
  const own = new AbortController();
  const { signal } = own;
  notSent = own;
  const { control, form } = press ?? {};
  let isRepeated = form?.hasAttribute("data-repeat");
  const notice = showNotice(press, isRepeated ? messages.again : messages.notSent);
  signal.addEventListener("abort", () => notice.remove());
  form?.addEventListener(
    "input",
    () => {
      if (isRepeated) notice.textContent = messages.notSent;
      isRepeated = false;
    },
    own,
  );
  const ask = async () => {
    const response = await fetch("/healthz", { signal }).catch(() => null);
    return response?.ok && !isForeign(response) ? response : null;
  };
  wait(Math.min(firstPauseMs * 2 ** repeatsInARow, longestPauseMs), signal)
    .then(() => untilAnswered(ask, signal, () => {}))
    .then(() => {
      if (isRepeated && form?.isConnected) {
        repeatsInARow += 1;
        form.requestSubmit(control instanceof HTMLButtonElement ? control : null);
      } else notice.textContent = messages.back;
    })
    .catch(() => {});
}

/** To be called before React takes the page over. */
export function watchConnection(): void {
  addEventListener("click", notePress, true);
  addEventListener("submit", notePress, true);
  addEventListener("popstate", () => notSent.abort());
  document.addEventListener("not-sent", keepUnsentForm);
  holdReads();
}
