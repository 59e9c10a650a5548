import { z } from "zod";
import { fieldValue } from "~/features/pages/schema.ts";

/** `open`: changes are collected. `failed`: its time came, and something stood in the way. */
export const releaseStates = ["open", "scheduled", "published", "failed", "undone"] as const;
export type ReleaseState = (typeof releaseStates)[number];

/** What is changed of one page or course, by its fields: from what, and to what. */
const changeOf = <Value extends z.ZodType>(value: Value) =>
  z.record(z.string(), z.object({ before: value, after: value }));

export const pageFieldChanges = changeOf(fieldValue);
export type PageFieldChanges = z.infer<typeof pageFieldChanges>;

/** The columns of a course that a release can change; a price in US cents. */
export const courseFieldChanges = changeOf(z.union([z.number().int().min(0), z.boolean()]));
export type CourseFieldChanges = z.infer<typeof courseFieldChanges>;

export const seenDrafts = z.array(
  z.object({ field: z.string(), id: z.string(), revision: z.number() }),
);
export type SeenFieldDraft = z.infer<typeof seenDrafts>[number];
