import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import type { OutlineLesson, OutlineModule } from "../queries.server.ts";
import { type Arrangement, changed, type OutlineChange, placeOf } from "../rules.ts";
import { outlineTexts } from "../texts.ts";
import { useReload } from "./use-reload.ts";

/** No problem in words: that has been told already, and nobody knows whether it was stored. */
type Answer = { said: string } | { problem: string | null } | undefined;

/**
 * The order as it is shown: the stored one with the changes that are on their way to the server,
 * one after the other. If one fails, all that is not stored is taken back, with words.
 */
export function useOrder(courseId: string, modules: OutlineModule[]) {
  const [waiting, setWaiting] = useState<OutlineChange[]>([]);
  const [status, setStatus] = useState("");
  // Not over what became of a change that was made since.
  const reload = useReload(() =>
    setStatus((now) => (now === outlineTexts.unknown ? outlineTexts.reloaded : now)),
  );
  const { state, data, submit } = useFetcher<Answer>();
  const unsent = useRef<OutlineChange[]>([]);
  /** The one on its way, and the answer to the one before it. */
  const sent = useRef<{ over: Promise<void>; before: Answer } | null>(null);
  const action = `/admin/courses/${courseId}`;

  function wait(changes: OutlineChange[]) {
    unsent.current = changes;
    setWaiting(changes);
    if (changes.length > 0) addEventListener("beforeunload", askBeforeLeaving);
    else removeEventListener("beforeunload", askBeforeLeaving);
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: `wait` and `reload` are always the same
  useEffect(() => {
    if (state !== "idle") return;
    if (sent.current) {
      // React hears of a submission later than of the next press: the answer is still the old one.
      if (data === sent.current.before) return;
      sent.current = null;
      if (data && "said" in data) {
        setStatus(data.said);
        return wait(unsent.current.slice(1));
      }
      setStatus(data?.problem ?? outlineTexts.unknown);
      if (data?.problem) tell(data.problem);
      else reload();
      return wait([]);
    }
    const [next] = waiting;
    if (!next) return;
    setStatus(outlineTexts.saving);
    sent.current = { over: submit({ ...next }, { method: "post", action }), before: data };
  }, [state, data, submit, waiting, action]);

  // Whoever goes elsewhere meanwhile has arranged it all the same.
  useEffect(() => {
    return () => {
      void sendRest();
    };
    async function sendRest() {
      const rest = sent.current ? unsent.current.slice(1) : unsent.current;
      await sent.current?.over;
      for (const next of rest) await submit({ ...next }, { method: "post", action });
      removeEventListener("beforeunload", askBeforeLeaving);
    }
  }, [submit, action]);

  const stored = modules.map(({ id, lessons }) => ({ id, lessons: lessons.map((l) => l.id) }));
  const shown = (changes: OutlineChange[]) =>
    changes.reduce((now, change) => changed(now, change) ?? now, stored);

  return {
    shown: withWords(shown(waiting), modules),
    status,
    change(change: OutlineChange) {
      const before = shown(unsent.current);
      const after = changed(before, change);
      if (after && String(flat(after)) !== String(flat(before)))
        wait([...unsent.current, asMove(after, change)]);
    },
  };
}

function askBeforeLeaving(event: BeforeUnloadEvent) {
  event.preventDefault();
}

const flat = (order: Arrangement) => order.map(({ id, lessons }) => [id, ...lessons]);

/** A step as a move to where it leads: what may be applied twice without going further. */
function asMove(after: Arrangement, change: OutlineChange): OutlineChange {
  if (change.intent === "step-module") {
    const index = after.findIndex(({ id }) => id === change.moduleId);
    const beforeId = after[index + 1]?.id ?? "";
    return { intent: "move-module", moduleId: change.moduleId, beforeId };
  }
  if (change.intent !== "step-lesson") return change;
  const { lessonId } = change;
  const place = placeOf(after, lessonId);
  const module = place && after[place.module];
  if (!module) return change;
  const beforeId = module.lessons[place.lesson + 1] ?? "";
  return { intent: "move-lesson", lessonId, moduleId: module.id, beforeId };
}

/** The entries that belong to the ids; what the server knows no more is left out. */
export function withWords(order: Arrangement, modules: OutlineModule[]): OutlineModule[] {
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
