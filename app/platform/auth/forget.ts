import type { RegularTask } from "../jobs/regular.ts";

/** Takes sessions away that are over. They are the library's, which reads the machine's own clock. */
export const forgetSessions: RegularTask = {
  name: "auth.forget-sessions",
  async run({ db }) {
    await db.write.deleteFrom("sessions").where("expiresAt", "<", new Date()).execute();
  },
};

/**
 * Takes away what was begun and never finished: visits to providers, questions to passkeys, links.
 * Anybody can begin them, and the library clears up only when somebody comes back.
 */
export const forgetVerifications: RegularTask = {
  name: "auth.forget-verifications",
  async run({ db }) {
    await db.write.deleteFrom("verifications").where("expiresAt", "<", new Date()).execute();
  },
};
