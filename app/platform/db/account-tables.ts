import type { Optional, Time } from "./column-types.ts";

/** Another address that somebody wants for her account: one at a time, until both have confirmed it. */
export type EmailChangesTable = {
  userId: string;
  newEmail: string;
  /** SHA-256 of the tokens in the letters to the address so far and to the new one. */
  oldTokenHash: string;
  newTokenHash: string;
  oldConfirmedAt: Optional<Time>;
  newConfirmedAt: Optional<Time>;
  expiresAt: Time;
  createdAt: Time;
};

/** The authentication library's: what was begun and is to be shown once more, such as a link's token. */
export type VerificationsTable = {
  id: string;
  /** A hash of what is looked for. */
  identifier: string;
  /** Whose it is, or what is to be gone on with. */
  value: string;
  expiresAt: Time;
  createdAt: Time;
  updatedAt: Time;
};

/** Shared by the authentication library and platform/http/rate-limit.ts. */
export type RateLimitsTable = {
  id: string;
  key: string;
  count: number;
  /** In ms since 1970. */
  lastRequest: number;
};
