import { useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import type { OutlineLesson, OutlineModule } from "../queries.server.ts";
import { type Arrangement, changed, type OutlineChange, placeOf } from "../rules.ts";
import { outlineTexts } from "../texts.ts";

/** No problem in words: that has been told already. */
type Answer = { said: string } | { problem: string | null } | undefined;

/**
 * The order as it is shown: the stored one with the changes that are on their way to the server,
 * one after the other. If one fails, all that is not stored is taken back, with words.
 */
export function useOrder(modules: OutlineModule[]) {
  const [waiting, setWaiting] = useState<OutlineChange[]>([]);
  const [status, setStatus] = useState("");
  const fetcher = useFetcher<Answer>();
  const isSent = useRef(false);
  const { state, data, submit } = fetcher;

  useEffect(() => {
    if (state !== "idle") return;
    if (isSent.current) {
      isSent.current = false;
      if (data && "said" in data) {
        setStatus(data.said);
        return setWaiting(([, ...rest]) => rest);
      }
      setStatus(data?.problem ?? outlineTexts.failed);
      if (data?.problem !== null) tell(data?.problem ?? outlineTexts.failed);
      return setWaiting([]);
    }
    const [next] = waiting;
    if (!next) return;
    isSent.current = true;
    setStatus(outlineTexts.saving);
    void submit({ ...next }, { method: "post" });
  }, [state, data, submit, waiting]);

  const stored = modules.map(({ id, lessons }) => ({ id, lessons: lessons.map((l) => l.id) }));
  const order = waiting.reduce((now, change) => changed(now, change) ?? now, stored);

  return {
    shown: withWords(order, modules),
    status,
    change(change: OutlineChange) {
      const after = changed(order, change);
      if (after && String(flat(after)) !== String(flat(order)))
        setWaiting((before) => [...before, asMove(after, change)]);
    },
  };
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
