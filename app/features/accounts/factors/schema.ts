import { z } from "zod";
import { readCode } from "./rules.ts";
import { messages } from "./texts.ts";

const name = z
  .string({ error: messages.name })
  .trim()
  .min(1, messages.name)
  .max(60, messages.nameTooLong);

/** What somebody calls an app or a passkey of hers. */
export const nameField = z.object({ name });

/** Six digits of an app, however they are spaced. */
export const appCodeField = z.object({
  code: z
    .string({ error: messages.sixDigits })
    .transform(readCode)
    .refine((read) => read?.kind === "app", messages.sixDigits)
    .transform((read) => read?.code ?? ""),
});

/** Six digits of an app, or a recovery code. */
export const anyCodeField = z.object({
  code: z.string({ error: messages.code }).transform((typed, context) => {
    const read = readCode(typed);
    if (!read) context.addIssue({ code: "custom", message: messages.code });
    return read ?? z.NEVER;
  }),
});
