import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingName, greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { clockTime, dateInWords, knownZone } from "~/platform/time/words.ts";
import { changes } from "../factors/texts.ts";
import { SecurityChange } from "./emails/security-change.tsx";

const change = z.object({
  to: z.object({ name: z.string(), address: z.string() }),
  change: z.enum(Object.keys(changes) as [keyof typeof changes]),
  /** When it happened, ISO 8601. */
  at: z.string(),
  /** Of the reader, an IANA name. */
  timeZone: z.string(),
  /** What she called it. */
  name: z.string().nullable(),
  /** Recovery codes that are left, where one was used. */
  left: z.number().nullable(),
});

/** 'A passkey was added': told to the owner, since it may not have been she. */
export const securityChangeMail = defineJob({
  kind: "accounts.security-change",
  label: "A change to how she signs in",
  urgent: true,
  payload: change,
  async run(services, { to, at, timeZone, name, ...payload }, { id }) {
    const zone = knownZone(timeZone, "UTC");
    const [day, time] = [dateInWords(new Date(at), zone), clockTime(new Date(at), zone)];
    const letter = {
      ...payload,
      greeting: greetingOf(to.name),
      when: `${day} at ${time}${zone === "UTC" ? " (UTC)" : ""}`,
      name: greetingName(name ?? ""),
      appUrl: services.config.appUrl,
    };
    const body = await renderMail(SecurityChange(letter));
    await services.mail.send({
      id,
      to: receiver(to.name, to.address),
      subject: changes[payload.change],
      ...body,
    });
  },
});
