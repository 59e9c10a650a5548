import { messages } from "../texts.ts";
import type { Enrolled } from "./schema.ts";

/** What is said after enrolling somebody by hand. */
export function enrolledToast({ isNew, isBack, name, course }: Enrolled, since: string) {
  if (!isNew)
    return {
      title: "Already enrolled",
      description: `${name} has been in “${course}” since ${since}. Nothing was changed.`,
      tone: "default" as const,
    };
  const description = isBack
    ? `${name} is back in “${course}”, with what was completed and written before. The days of its lessons count from today.`
    : `${name} can begin “${course}” now.`;
  return { ...messages.created, description };
}
