import { z } from "zod";
import {
  formSources,
  type LeaveReason,
  leaveMessages,
  leaveReasons,
  newsletterMessages,
} from "./messages.ts";

const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

const firstName = z
  .string({ error: newsletterMessages.nameMissing })
  .trim()
  .min(1, newsletterMessages.nameMissing)
  .max(200, newsletterMessages.nameTooLong)
  .refine((name) => !unprintable.test(name), newsletterMessages.nameUnreadable);

/** 'ada@exämple.com' as it is sent: some browsers submit it as typed, some as Punycode. */
function withAsciiDomain(email: string): string {
  const [, name, domain = ""] = /^([^@]+)@([^@/?#:\\]*[^\0-\x7f][^@/?#:\\]*)$/.exec(email) ?? [];
  const url = URL.parse(`http://${domain}`);
  return name && url ? `${name}@${url.hostname}` : email;
}

/** An address as it is stored, or what is wrong with it. */
export const addressField = z
  .string({ error: newsletterMessages.emailMissing })
  .trim()
  .min(1, newsletterMessages.emailMissing)
  // Aborts: the checks below must not run on a very long text.
  .max(254, { error: newsletterMessages.emailTooLong, abort: true })
  .overwrite(withAsciiDomain)
  .max(254, newsletterMessages.emailTooLong)
  // What a browser takes (spec 5); with a dot, since no mail gets to 'ada@example'.
  .regex(z.regexes.html5Email, newsletterMessages.emailInvalid)
  .refine(
    (address) => address.indexOf(".", address.indexOf("@") + 2) > 0,
    newsletterMessages.emailInvalid,
  );

/** Spec 5, Newsletter form. */
export const signupFields = z.object({ firstName, email: addressField });

/** A signup that may be delivered, with where it came from, as far as that is known. */
export const deliveredSignup = signupFields.extend({
  source: z.string().nullish(),
  timeZone: z.string().nullish(),
});

export type Signup = z.infer<typeof deliveredSignup>;

/** The form that a signup says it came from. */
export const formSource = z.enum(formSources).nullable().catch(null);

/** One message a field. */
export type SignupErrors = { firstName?: string; email?: string };

export function signupErrors(error: z.ZodError<z.infer<typeof signupFields>>): SignupErrors {
  const { firstName, email } = z.flattenError(error).fieldErrors;
  return { ...(firstName && { firstName: firstName[0] }), ...(email && { email: email[0] }) };
}

/** 'go-on' ends a pause. */
export const frequencyChange = z.enum(["monthly", "weekly", "pause-30", "pause-90", "go-on"]);
export type FrequencyChange = z.infer<typeof frequencyChange>;

const longestReason = 300;

const reasonFields = z.object({
  reason: z.enum(Object.keys(leaveReasons) as [LeaveReason, ...LeaveReason[]]).optional(),
  text: z.string().trim().max(longestReason).optional(),
});

/** The answer to 'why' as it is stored: a choice, ': ' and what was typed, or one of the two; null
 * where neither was given. Browsers count a new line as one character and send two. */
export function parseLeaveReason(
  fields: Record<string, string | undefined>,
): { stored: string | null } | { error: string } {
  const text = fields.text?.replaceAll("\r\n", "\n");
  const { data, error } = reasonFields.safeParse({ ...fields, text });
  if (error) return { error: leaveMessages.tooLong };
  const choice = data.reason ?? (data.text ? "other" : null);
  return { stored: choice && (data.text ? `${choice}: ${data.text}` : choice) };
}
