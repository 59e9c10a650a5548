/** Operations of the library that forms use, and the rules that hold for what is typed there. */
export const ruledPaths = {
  "/sign-up/email": "sign-up",
  "/sign-in/email": "sign-in",
  "/reset-password": "reset",
} as const;

/**
 * Operations of the library that nobody may ask for over HTTP: pages of the site do the same with
 * rules of their own, or nobody needs them. The site itself may still call them in the process.
 */
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
  "/passkey/delete-passkey",
  "/passkey/list-user-passkeys",
  "/passkey/update-passkey",
  "/passkey/verify-registration",
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

/** What somebody may do who has given her password and owes the second factor. */
export const pendingPaths = new Set([
  "/sign-in/email",
  "/leave-for-provider",
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

/** Requests from one address in a window of seconds, beyond which it has to wait. */
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
