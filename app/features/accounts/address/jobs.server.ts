import { z } from "zod";
import { defineJob } from "~/platform/jobs/job.ts";
import { greetingOf, receiver } from "~/platform/mail/greeting.ts";
import { renderMail } from "~/platform/mail/render.ts";
import { findOwner } from "../settings/queries.server.ts";
import { AddressChanged } from "./emails/address-changed.tsx";
import { AddressTaken } from "./emails/address-taken.tsx";
import { NewAddress } from "./emails/new-address.tsx";
import { OldAddress } from "./emails/old-address.tsx";

const instead = "She can ask for the change once more on the page of her account.";

/** To the address so far: 'do you want to change it?' */
export const oldAddressMail = defineJob({
  kind: "accounts.address-old",
  label: "Another address: to the one so far",
  instead,
  urgent: true,
  payload: z.object({
    userId: z.string(),
    email: z.string(),
    newEmail: z.string(),
    link: z.string(),
  }),
  async run(services, { userId, email, newEmail, link }, { id }) {
    const owner = await findOwner(services, userId);
    if (!owner) return;
    const greeting = greetingOf(owner.name);
    const body = await renderMail(OldAddress({ greeting, newEmail, link }));
    const to = receiver(owner.name, email);
    await services.mail.send({ id, to, subject: "Do you want another email address?", ...body });
  },
});

/** To the new address, which may be a stranger's: nothing that somebody typed is in it. */
export const newAddressMail = defineJob({
  kind: "accounts.address-new",
  label: "Another address: to the new one",
  instead,
  urgent: true,
  payload: z.object({ email: z.string(), link: z.string() }),
  async run({ mail }, { email, link }, { id }) {
    const body = await renderMail(NewAddress({ greeting: greetingOf(null), link }));
    const to = receiver(null, email);
    await mail.send({ id, to, subject: "Please confirm your new address", ...body });
  },
});

/** To an address that somebody wants and that has an account: told to its owner alone. */
export const takenMail = defineJob({
  kind: "accounts.address-taken",
  label: "Another address: it has an account",
  urgent: true,
  payload: z.object({ email: z.string(), link: z.string() }),
  async run({ mail }, { email, link }, { id }) {
    const body = await renderMail(AddressTaken({ greeting: greetingOf(null), link }));
    const to = receiver(null, email);
    await mail.send({ id, to, subject: "This address has an account already", ...body });
  },
});

/** The last letter to the address that was hers. */
export const changedMail = defineJob({
  kind: "accounts.address-changed",
  label: "Another address: it is changed",
  payload: z.object({ name: z.string(), email: z.string(), newEmail: z.string() }),
  async run({ mail }, { name, email, newEmail }, { id }) {
    const body = await renderMail(AddressChanged({ greeting: greetingOf(name), newEmail }));
    const to = receiver(name, email);
    await mail.send({ id, to, subject: "Your email address was changed", ...body });
  },
});
