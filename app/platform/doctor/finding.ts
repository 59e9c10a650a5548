/** What a look at the world outside has found. */
export type Seen = { state: "good" | "look" | "missing"; title: string; text: string };

/** A record of DNS to copy. */
export type DnsRecord = { name: string; type: "TXT" | "MX"; value: string };

/** Milliseconds for each look; all of them run at once. */
export const lookLimitMs = 5000;
