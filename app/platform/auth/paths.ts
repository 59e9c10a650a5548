export const ruledPaths = {
  "/sign-up/email": "sign-up",
  "/sign-in/email": "sign-in",
  "/reset-password": "reset",
} as const;

/** Closed over HTTP: our own pages do the same under their own rules, or they are unused. */
export const closedPaths = [
  "/account-info",
  "/change-email",
  "/change-password",
  "/delete-user",
  "/delete-user/callback",
  "/error",
  "/get-access-token",
  "/link-social",
  "/list-accounts",
  "/list-sessions",
  "/refresh-token",
  "/reset-password/:token",
  "/revoke-other-sessions",
  "/revoke-session",
  "/revoke-sessions",
  "/sign-in/social",
  "/unlink-account",
  "/update-session",
  "/update-user",
  "/verify-password",
];

/** Operations allowed to a user who has given their password but not yet the second factor. */
export const pendingPaths = new Set([
  "/sign-in/email",
  "/provider/start",
  "/callback/:id",
  "/sign-up/email",
  "/sign-out",
  "/verify-email",
  "/send-verification-email",
  "/request-password-reset",
  "/reset-password",
  "/passkey/generate-authenticate-options",
  "/passkey/verify-authentication",
  "/jwks",
  "/ok",
]);

/** Rate limits per client address; windows are in seconds. */
export const pathLimits = {
  "/get-session": false,
  "/jwks": false,
  "/sign-in/email": { window: 60, max: 10 },
  "/sign-up/email": { window: 60, max: 5 },
  "/request-password-reset": { window: 60, max: 5 },
  "/send-verification-email": { window: 60, max: 5 },
  "/reset-password": { window: 60, max: 10 },
  "/verify-email": { window: 60, max: 30 },
  "/callback/*": { window: 60, max: 20 },
  "/passkey/verify-authentication": { window: 60, max: 10 },
} as const;
