/** The header in which the server passes the caller's address to the authentication library. */
export const clientAddressHeader = "x-blue-dot-client-address";

/** How long an unused session lives, and after what time a use extends it, in seconds. */
export const sessionSeconds = 30 * 24 * 3600;
export const sessionUpdateSeconds = 24 * 3600;

/** For how long after signing in no reauthentication is needed, in seconds. */
export const freshSeconds = 600;

export const verifySeconds = 24 * 3600;
export const resetSeconds = 3600;

export const cookiePrefix = "blue-dot";

export const sessionCookie = `${cookiePrefix}.session_token`;

export const accessTokenSeconds = 10 * 60;
/** For how long a signing key that was replaced stays published. */
export const retiredKeySeconds = 24 * 3600;
