import type { Optional, Time } from "./column-types.ts";

/** A second thing somebody signs in with (spec 3, Session: status, factor_type). */
export type FactorsTable = {
  id: string;
  userId: string;
  factorType: "totp";
  friendlyName: string;
  /** Asked for at sign-in only when it is verified: its owner has shown that she has it. */
  status: "unverified" | "verified";
  /** Encrypted with a key made from AUTH_SECRET. */
  secret: string;
  /** The 30 seconds of the last code that was taken: each code counts once. */
  lastStep: Optional<number>;
  lastUsedAt: Optional<Time>;
  createdAt: Time;
};

/** Codes for the day the device is lost, one row a code. */
export type RecoveryCodesTable = {
  id: string;
  userId: string;
  codeHash: string;
  usedAt: Optional<Time>;
  createdAt: Time;
};

/** The authentication library's, but for `lastUsedAt`. */
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

/** Keys that sign access tokens; the private half is encrypted. */
export type JwksTable = {
  id: string;
  publicKey: string;
  privateKey: string;
  createdAt: Time;
  /** When it signs no more. It is published for a while after that. */
  expiresAt: Optional<Time>;
  alg: Optional<string>;
  crv: Optional<string>;
};
