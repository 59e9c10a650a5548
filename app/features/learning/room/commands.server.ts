import { pace } from "~/platform/http/pace.ts";
import { type Answer, lengthOf } from "../schema.ts";

/** Savings of words: a page that is typed in makes one a second, and two tabs of it two. */
export const savings = pace({ burst: 60, perSecond: 3 });

/** What a saving counts for: one, and one more for each 50,000 characters. */
export const workOf = (answers: Answer[]): number => 1 + Math.floor(lengthOf(answers) / 50_000);
