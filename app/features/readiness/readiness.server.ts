import type { Services } from "~/platform/http/services.ts";
import type { Definition } from "./definition.ts";
import { type FactReaders, factReaders } from "./facts.server.ts";
import type { Facts } from "./facts.ts";
import { type Check, countStates } from "./rules.ts";
import { coursesChecks, emailChecks, moneyChecks, safetyChecks } from "./site-checks.ts";
import { wordsChecks } from "./words-checks.ts";

export const definitions: readonly Definition[] = [
  ...wordsChecks,
  ...coursesChecks,
  ...moneyChecks,
  ...emailChecks,
  ...safetyChecks,
];

/** The checklist before opening, in the order of its groups. What cannot be looked at is a line that
 * says so. */
export async function listReadiness(
  services: Services,
  readers: FactReaders = factReaders,
): Promise<Check[]> {
  const names = Object.keys(readers) as (keyof Facts)[];
  const settled = await Promise.allSettled(
    names.map((name): Promise<unknown> => readers[name](services)),
  );
  const facts: Partial<Record<keyof Facts, unknown>> = {};
  for (const [at, name] of names.entries()) {
    const result = settled[at];
    if (result?.status === "fulfilled") facts[name] = result.value;
    else
      services.log.error({ err: result?.reason, fact: name }, "the checklist could not look at it");
  }
  return definitions.flatMap((definition) => lines(services, definition, facts));
}

function lines(
  { log }: Services,
  { id, group, title, href, needs, look }: Definition,
  facts: Partial<Record<keyof Facts, unknown>>,
): Check[] {
  const unseen: Check = {
    ...{ id, group, title, href, state: "look" },
    text: "This could not be looked at just now.",
  };
  if (!needs.every((name) => name in facts)) return [unseen];
  try {
    return look(facts as Facts);
  } catch (err) {
    log.error({ err, check: id }, "the checklist could not look at it");
    return [unseen];
  }
}

/** How much is missing before opening; null where it could not be counted, which is logged. */
export async function countMissing(services: Services): Promise<number | null> {
  try {
    return countStates(await listReadiness(services)).missing;
  } catch (err) {
    services.log.error({ err }, "what is missing before opening could not be counted");
    return null;
  }
}
