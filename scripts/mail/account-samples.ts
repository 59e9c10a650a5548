import { inviteAdministrator } from "~/features/accounts/admin-invitations.server.ts";
import { deletionDueAt } from "~/features/accounts/deletion.server.ts";
import type { Sample, World } from "./world.ts";

const newEmail = "ada.lovelace@example.com";
const confirmPage = "/account/email/confirm?token=sample";

/** The emails about somebody's own account. */
export const accountSamples: readonly Sample[] = [
  {
    kind: "accounts.admin-invitation",
    when: "When you invite another administrator.",
    about: async ({ services, nora }) => {
      const email = "vera@example.com";
      await inviteAdministrator(services, { typed: email, by: nora });
      const written = await services.db.read
        .selectFrom("outbox")
        .select("payload")
        .where("address", "=", email)
        // Each page invites again, and the newest link alone works.
        .orderBy("id", "desc")
        .executeTakeFirstOrThrow();
      return written.payload;
    },
  },
  {
    kind: "accounts.address-old",
    when: "When somebody asks for another address: to the current one.",
    about: async ({ ada, services }) => ({
      userId: ada.id,
      email: ada.email,
      newEmail,
      link: services.config.appUrl + confirmPage,
    }),
  },
  {
    kind: "accounts.address-new",
    when: "The same: to the new one.",
    about: async ({ services }) => ({
      email: newEmail,
      link: services.config.appUrl + confirmPage,
    }),
  },
  {
    kind: "accounts.address-taken",
    when: "The same, where the new one has an account already.",
    about: async ({ services }) => ({ email: newEmail, link: `${services.config.appUrl}/auth` }),
  },
  {
    kind: "accounts.address-changed",
    when: "When both are confirmed: to the previous address.",
    about: async ({ ada: { name, email } }) => ({ name, email, newEmail }),
  },
  {
    kind: "accounts.password-changed",
    when: "When somebody has changed their password on the site.",
    about: async ({ ada, now }) => ({ userId: ada.id, at: now.toISOString() }),
  },
  {
    kind: "accounts.deletion-scheduled",
    when: "When somebody asks that their account be deleted.",
    about: leaving,
  },
  {
    kind: "accounts.deleted",
    when: "A week later, when it is done.",
    about: async ({ ada: { name, email } }) => ({ name, email }),
  },
];

async function leaving({ services, nora, now }: World) {
  const dueAt = deletionDueAt(now);
  await services.db.write
    .updateTable("profiles")
    .set({ deletionDueAt: dueAt })
    .where("id", "=", nora.id)
    .execute();
  return { userId: nora.id, dueAt: dueAt.toISOString() };
}
