import type { ReactElement } from "react";
import { z } from "zod";
import type { SubscriberStatus } from "~/platform/db/tables.ts";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import type { Services } from "~/platform/services.ts";
import { confirmUrl, unsubscribeUrl } from "../links/queries.server.ts";
import { findSubscriber, type Subscriber } from "../list/queries.server.ts";
import { Confirm } from "./emails/confirm.tsx";
import { Reminder } from "./emails/reminder.tsx";
import { Welcome } from "./emails/welcome.tsx";

type Parts = { subscriber: Subscriber; greeting: string; unsubscribe: string };
type Sketch = {
  kind: string;
  label: string;
  subject: string;
  /** Where its receiver must stand when it is sent; else there is nothing to send any more. */
  status: SubscriberStatus;
  letter(services: Services, parts: Parts): ReactElement;
};

/**
 * A letter of the newsletter. The outbox holds only whom it is for; the rest is read when it is
 * sent. Mail programs end the subscription by the two headers of RFC 8058, with one press.
 */
function defineLetter({ kind, label, subject, status, letter }: Sketch) {
  return defineJob({
    kind,
    label,
    // The newsletter is a list of its own, and what nobody confirmed is forgotten.
    recorded: false,
    payload: z.object({ subscriberId: z.string(), generation: z.number() }),
    async run(services, { subscriberId, generation }, { id }) {
      const subscriber = await findSubscriber(services, subscriberId);
      if (subscriber?.status !== status || subscriber.generation !== generation) return;
      const unsubscribe = unsubscribeUrl(services, subscriberId);
      const greeting = greetingOf(subscriber.firstName);
      await services.mail.send({
        id,
        to: receiver(subscriber.firstName, subscriber.email),
        subject,
        headers: {
          "List-Unsubscribe": `<${unsubscribe}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        ...(await renderMail(letter(services, { subscriber, greeting, unsubscribe }))),
      });
    },
  });
}

/** 'Was it you?', after a signup. */
export const confirmLetter = defineLetter({
  kind: "newsletter.confirm",
  label: "Newsletter: please confirm",
  subject: "Please confirm: a letter once a week",
  status: "pending",
  letter: (services, { subscriber, ...parts }) =>
    Confirm({ ...parts, link: confirmUrl(services, subscriber) }),
});

/** 'You are on the list', after confirming. */
export const welcomeLetter = defineLetter({
  kind: "newsletter.welcome",
  label: "Newsletter: welcome",
  subject: "You are on the list",
  status: "confirmed",
  letter: (_, parts) => Welcome(parts),
});

/** 'You are on the list already', after signing up once more. */
export const reminderLetter = defineLetter({
  kind: "newsletter.reminder",
  label: "Newsletter: on the list already",
  subject: "You are on the list already",
  status: "confirmed",
  letter: (_, parts) => Reminder(parts),
});
