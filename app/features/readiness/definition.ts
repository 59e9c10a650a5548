import type { Facts } from "./facts.ts";
import type { Check, CheckGroup, Finding } from "./rules.ts";

/** What a check says; title and place are those of the check where it names no others. */
type Said = Pick<Finding, "state" | "text"> & Partial<Pick<Finding, "title" | "href">>;

export type Definition = {
  id: string;
  group: CheckGroup;
  title: string;
  /** Where it is put right. */
  href: string;
  needs: readonly (keyof Facts)[];
  look(facts: Facts): Check[];
};

/** Lines that a check may have; what is more is counted. */
const mostLines = 5;

/** Makes a check. `look` gets the facts that it needs, and says one thing or several. */
export function check<Name extends keyof Facts>(
  id: string,
  { group, title, href }: Pick<Definition, "group" | "title" | "href">,
  needs: readonly Name[],
  look: (facts: Pick<Facts, Name>) => Said | Said[],
): Definition {
  const place = { group, title, href };
  return {
    ...{ id, ...place, needs },
    look(facts) {
      const said = [look(facts)].flat();
      const lines = said
        .slice(0, mostLines)
        .map((one, at) => ({ ...place, ...one, id: at === 0 ? id : `${id}-${at + 1}` }));
      const last = lines.at(-1);
      if (last && said.length > mostLines)
        last.text += ` There are ${said.length - mostLines} more of these.`;
      return lines;
    },
  };
}

export const good = (text: string): Said => ({ state: "good", text });
export const worthALook = (text: string): Said => ({ state: "look", text });
export const missing = (text: string): Said => ({ state: "missing", text });

/** Nothing wrong is one good line. */
export const goodUnlessAny = (said: Said[], text: string): Said | Said[] =>
  said.length > 0 ? said : good(text);
