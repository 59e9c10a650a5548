import { createTransport } from "nodemailer";
import { newId } from "~/platform/db/ids.ts";
import type { EmailMessage } from "~/platform/email/mail.ts";
import { envelope } from "~/platform/email/message.ts";
import { jobs } from "~/server/jobs.ts";
import { samples } from "./samples.ts";
import type { World } from "./world.ts";

/** An email as a mail server gets it. */
export type SampleEmail = {
  kind: string;
  label: string;
  when: string;
  message: EmailMessage;
  /** The lines above the parts, as they are sent. */
  head: string;
};

/**
 * Every email of the site, each written by the very job that sends it.
 * @throws when a job has no sample, or writes nothing for its sample
 */
export async function writeSampleEmails(world: World): Promise<SampleEmail[]> {
  const missing = jobs.filter(
    ({ kind, sendsEmail }) => sendsEmail && !samples.some((sample) => sample.kind === kind),
  );
  if (missing.length > 0)
    throw new Error(
      `scripts/mail/samples.ts has no email of ${missing.map(({ kind }) => kind).join(", ")}`,
    );
  const emails: SampleEmail[] = [];
  for (const { kind, when, about } of samples) {
    const job = jobs.find((one) => one.kind === kind);
    if (!job) throw new Error(`scripts/mail/samples.ts has '${kind}', which no job sends`);
    const messages: EmailMessage[] = [];
    const send = async (message: EmailMessage) => void messages.push(message);
    const mail = { ...world.services.mail, send };
    const row = { id: newId(), signal: AbortSignal.timeout(60_000) };
    await job.perform({ ...world.services, mail }, await about(world, row.id), row);
    const [message] = messages;
    if (!message) throw new Error(`the job '${kind}' wrote no email for its sample`);
    emails.push({ kind, label: job.label, when, message, head: await headOf(world, message) });
  }
  return emails;
}

async function headOf({ services, now }: World, message: EmailMessage): Promise<string> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  const mail = {
    ...envelope(message, { from: services.config.mailFrom, replyTo: services.content.site.email }),
    date: now,
  };
  const sent = await transport.sendMail(mail);
  return String(sent.message).split(/\r?\n\r?\n/)[0] ?? "";
}
