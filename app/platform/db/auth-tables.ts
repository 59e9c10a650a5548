import type { Optional, Time } from "./columns.ts";

export type EmailChangesTable = {
  userId: string;
  newEmail: string;
  /** SHA-256 of the tokens in the emails to the current and to the new address. */
  oldTokenHash: string;
  newTokenHash: string;
  oldConfirmedAt: Optional<Time>;
  newConfirmedAt: Optional<Time>;
  expiresAt: Time;
  createdAt: Time;
};

export type VerificationsTable = {
  id: string;
  identifier: string;
  value: string;
  expiresAt: Time;
  createdAt: Time;
  updatedAt: Time;
};

export type RateLimitsTable = {
  id: string;
  key: string;
  count: number;
  /** Milliseconds since 1970. */
  lastRequest: number;
};

/** Two-factor (spec 3, Session: status, factor_type). */
export type FactorsTable = {
  id: string;
  userId: string;
  factorType: "totp";
  friendlyName: string;
  /** Required at sign-in only once verified: the user has shown that they have it. */
  status: "unverified" | "verified";
  /** Encrypted with a key made from AUTH_SECRET. */
  secret: string;
  /** The 30-second step of the last accepted code: each code counts once. */
  lastStep: Optional<number>;
  lastUsedAt: Optional<Time>;
  createdAt: Time;
};

export type BackupCodesTable = {
  id: string;
  userId: string;
  codeHash: string;
  usedAt: Optional<Time>;
  createdAt: Time;
};

export type PasskeysTable = {
  id: string;
  userId: string;
  name: Optional<string>;
  publicKey: string;
  credentialId: string;
  counter: number;
  deviceType: string;
  backedUp: boolean;
  transports: Optional<string>;
  createdAt: Optional<Time>;
  aaguid: Optional<string>;
  lastUsedAt: Optional<Time>;
};

export type JwksTable = {
  id: string;
  publicKey: string;
  privateKey: string;
  createdAt: Time;
  /** Then it signs no more, but stays published for a while. */
  expiresAt: Optional<Time>;
  alg: Optional<string>;
  crv: Optional<string>;
};
