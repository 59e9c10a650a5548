import { useEffect, useRef, useState } from "react";
import { useFetcher, useRevalidator } from "react-router";
import { outlineMessages } from "../messages.ts";
import type { OutlineLesson, OutlineModule } from "../ordering.server.ts";
import {
  applyOutlineChange,
  type OutlineChange,
  type OutlineOrder,
  outlinePlace,
} from "../rules.ts";

const retryMs = 10_000;

/** Returns a function that reloads the page's data once the site answers with it: after a change
 * whose answer was lost, only the site knows what is stored. It asks the site first, because a
 * plain reload could replace the page with an error or the sign-in page. */
function useReload(onReloaded: () => void): () => void {
  const [isAsked, setAsked] = useState(false);
  const { revalidate } = useRevalidator();
  const reloaded = useRef(onReloaded);
  useEffect(() => {
    if (!isAsked) return;
    let isThere = true;
    async function load() {
      if (!navigator.onLine || !(await mayHaveThisPage())) return;
      if (isThere) await revalidate();
      if (!isThere) return;
      reloaded.current();
      setAsked(false);
    }
    void load();
    const timer = setInterval(load, retryMs);
    addEventListener("online", load);
    return () => {
      isThere = false;
      clearInterval(timer);
      removeEventListener("online", load);
    };
  }, [isAsked, revalidate]);
  return () => setAsked(true);
}

/** A signed-out user would be redirected and lose what they typed. */
const mayHaveThisPage = () =>
  fetch(location.pathname, { redirect: "manual" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** A null problem was shown already, and it is unknown whether the change was stored. */
type Answer = { said: string } | { problem: string | null } | undefined;

/** The stored order plus pending changes, sent one by one. A failure reverts all pending ones. */
export function useOrder(courseId: string, modules: OutlineModule[]) {
  const [waiting, setWaiting] = useState<OutlineChange[]>([]);
  const [status, setStatus] = useState("");
  // The status of a change made since is not overwritten.
  const reload = useReload(() =>
    setStatus((now) => (now === outlineMessages.unknown ? outlineMessages.reloaded : now)),
  );
  const { state, data, submit } = useFetcher<Answer>();
  const unsent = useRef<OutlineChange[]>([]);
  /** The request in flight, and the answer to the one before it. */
  const sent = useRef<{ over: Promise<void>; before: Answer } | null>(null);
  const action = `/admin/courses/${courseId}`;

  function wait(changes: OutlineChange[]) {
    unsent.current = changes;
    setWaiting(changes);
    if (changes.length > 0) addEventListener("beforeunload", confirmBeforeUnload);
    else removeEventListener("beforeunload", confirmBeforeUnload);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `wait` and `reload` are always the same
  useEffect(() => {
    if (state !== "idle") return;
    if (sent.current) {
      // React may report a submission after the next press: `data` is then still the old answer.
      if (data === sent.current.before) return;
      sent.current = null;
      if (data && "said" in data) {
        setStatus(data.said);
        return wait(unsent.current.slice(1));
      }
      setStatus(data?.problem ?? outlineMessages.unknown);
      if (data?.problem) tell(data.problem);
      else reload();
      return wait([]);
    }
    const [next] = waiting;
    if (!next) return;
    setStatus(outlineMessages.saving);
    sent.current = { over: submit({ ...next }, { method: "post", action }), before: data };
  }, [state, data, submit, waiting, action]);

  // Pending changes are sent even when the user leaves the page.
  useEffect(() => {
    return () => {
      void sendRest();
    };
    async function sendRest() {
      const rest = sent.current ? unsent.current.slice(1) : unsent.current;
      await sent.current?.over;
      for (const next of rest) await submit({ ...next }, { method: "post", action });
      removeEventListener("beforeunload", confirmBeforeUnload);
    }
  }, [submit, action]);

  const stored = modules.map(({ id, lessons }) => ({ id, lessons: lessons.map((l) => l.id) }));
  const shown = (changes: OutlineChange[]) =>
    changes.reduce((now, change) => applyOutlineChange(now, change) ?? now, stored);

  return {
    shown: withWords(shown(waiting), modules),
    status,
    change(change: OutlineChange) {
      const before = shown(unsent.current);
      const after = applyOutlineChange(before, change);
      if (after && String(flat(after)) !== String(flat(before)))
        wait([...unsent.current, asMove(after, change)]);
    },
  };
}

function confirmBeforeUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}

const flat = (order: OutlineOrder) => order.map(({ id, lessons }) => [id, ...lessons]);

/** A step as a move to its target: applied a second time, it goes no further. */
function asMove(after: OutlineOrder, change: OutlineChange): OutlineChange {
  if (change.intent === "step-module") {
    const index = after.findIndex(({ id }) => id === change.moduleId);
    const beforeId = after[index + 1]?.id ?? "";
    return { intent: "move-module", moduleId: change.moduleId, beforeId };
  }
  if (change.intent !== "step-lesson") return change;
  const { lessonId } = change;
  const place = outlinePlace(after, lessonId);
  const module = place && after[place.module];
  if (!module) return change;
  const beforeId = module.lessons[place.lesson + 1] ?? "";
  return { intent: "move-lesson", lessonId, moduleId: module.id, beforeId };
}

/** The entries for these ids; ids that the server no longer knows are left out. */
export function withWords(order: OutlineOrder, modules: OutlineModule[]): OutlineModule[] {
  const known = new Map(modules.map((module) => [module.id, module]));
  const lessons = new Map<string, OutlineLesson>(
    modules.flatMap((module) => module.lessons.map((lesson) => [lesson.id, lesson])),
  );
  return order.flatMap(({ id, lessons: ids }) => {
    const module = known.get(id);
    const entries = ids.flatMap((lesson) => lessons.get(lesson) ?? []);
    return module ? [{ ...module, lessons: entries }] : [];
  });
}

function tell(description: string) {
  const detail = { title: "Error", description, tone: "destructive" };
  document.dispatchEvent(new CustomEvent("toast", { detail }));
}
