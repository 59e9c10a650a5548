import { z } from "zod";
import { courseEmailMessages, longest } from "./messages.ts";

const oneLine = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** What the coach types; the text has '\n' between its lines. */
export const courseEmailFields = z.object({
  productId: z.string().min(1, courseEmailMessages.noCourse),
  subject: z
    .string()
    .trim()
    .min(1, courseEmailMessages.noSubject)
    .max(longest.subject, courseEmailMessages.longSubject)
    .regex(oneLine, courseEmailMessages.lines),
  text: z
    .string()
    .transform((typed) => typed.replaceAll(/\r\n?/g, "\n").trim())
    .pipe(
      z.string().min(1, courseEmailMessages.noText).max(longest.text, courseEmailMessages.longText),
    ),
});

export type CourseEmailFields = z.infer<typeof courseEmailFields>;
