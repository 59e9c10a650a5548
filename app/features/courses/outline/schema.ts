import { z } from "zod";

const direction = z.enum(["up", "down"]);
const beforeId = z.string().default("");

/** The forms of the outline (rules.ts, OutlineChange). */
export const outlineChange = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("move-lesson"),
    lessonId: z.string(),
    moduleId: z.string(),
    beforeId,
  }),
  z.object({ intent: z.literal("step-lesson"), lessonId: z.string(), direction }),
  z.object({ intent: z.literal("move-module"), moduleId: z.string(), beforeId }),
  z.object({ intent: z.literal("step-module"), moduleId: z.string(), direction }),
]);
