import { z } from "zod";
import { twoFactorMessages } from "./messages.ts";
import { readCode } from "./rules.ts";

const email = z
  .string({ error: "Invalid email format" })
  .trim()
  .max(255, "Email must be less than 255 characters")
  .pipe(z.email("Invalid email format"));

const password = z
  .string({ error: "Password must be at least 8 characters" })
  .min(8, "Password must be at least 8 characters")
  .max(100, "Password must be less than 100 characters")
  .regex(/[A-Z]/, "Password must include at least one uppercase letter")
  .regex(/[a-z]/, "Password must include at least one lowercase letter")
  .regex(/[0-9]/, "Password must include at least one number");

const name = z
  .string({ error: "Name is required" })
  .trim()
  .min(1, "Name is required")
  .max(100, "Name must be less than 100 characters")
  .regex(/^[^\0]*$/, "Name must be text");

/** Spec 5, Account forms. The order of the fields is the order of the messages. */
export const signInFields = z.object({ email, password });
export const signUpFields = z.object({ name, email, password });
export const emailField = z.object({ email });
export const nameField = z.object({ name });
export const newPasswordField = z.object({ password });

export type FieldError = { field: string; message: string };

const factorName = z
  .string({ error: twoFactorMessages.name })
  .trim()
  .min(1, twoFactorMessages.name)
  .max(60, twoFactorMessages.nameTooLong);

export const factorNameField = z.object({ name: factorName });

export const appCodeField = z.object({
  code: z
    .string({ error: twoFactorMessages.sixDigits })
    .transform(readCode)
    .refine((read) => read?.kind === "app", twoFactorMessages.sixDigits)
    .transform((read) => read?.code ?? ""),
});

export const anyCodeField = z.object({
  code: z.string({ error: twoFactorMessages.code }).transform((typed, context) => {
    const read = readCode(typed);
    if (!read) context.addIssue({ code: "custom", message: twoFactorMessages.code });
    return read ?? z.NEVER;
  }),
});
