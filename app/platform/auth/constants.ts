/** Header in which the server tells the authentication library the caller's address. */
export const clientAddressHeader = "x-blue-dot-client-address";

/** How long a session lives without use, and after what use it is prolonged, in seconds. */
export const sessionSeconds = 30 * 24 * 3600;
export const sessionUpdateSeconds = 24 * 3600;

/** How long after signing in somebody need not show again that it is she, in seconds. */
export const freshSeconds = 600;

/** How long the links of letters work, in seconds. */
export const verifySeconds = 24 * 3600;
export const resetSeconds = 3600;

export const cookiePrefix = "blue-dot";

/** The session's cookie, as it is called inside the site (cookies.ts). */
export const sessionCookie = `${cookiePrefix}.session_token`;
