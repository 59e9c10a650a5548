/** The columns of a file that count, by their places from 0. */
export type FileColumns = {
  email: number;
  firstName: number | null;
  /** Of a whole name, the first word counts. */
  isWholeName: boolean;
  timeZone: number | null;
  /** Dates of consent, the best first. */
  consent: number[];
  /** Words such as 'unsubscribed' or 'bounced'. */
  status: number[];
  /** Where 'no' says that somebody has left. */
  wanted: number[];
  /** Where 'yes' or a date says so. */
  ended: number[];
};

// Headings of the services' exports, in small letters with '_' for all else: Mailchimp ('Email
// Address', 'OPTIN_TIME'), Kit ('email_address', 'status'), Ghost ('subscribed_to_emails',
// 'deleted_at'), Substack ('email_disabled'), Kajabi ('Name', 'Subscribed'); and our own export.
const known = {
  email: ["email_address", "email", "e_mail", "e_mail_address", "subscriber_email", "member_email"],
  firstName: ["first_name", "firstname", "fname", "given_name", "forename"],
  wholeName: ["name", "full_name", "subscriber_name", "member_name"],
  timeZone: ["time_zone", "timezone"],
  consent: [
    ...["confirm_time", "confirmed_at", "optin_time", "opt_in_time", "opted_in_at", "opt_in_date"],
    ...["consent_date", "consent_at", "subscribed_at", "subscription_date", "subscribe_date"],
    ...["subscribed_on", "date_subscribed", "signup_date", "signed_up_at", "joined_at"],
    ...["created_at", "created", "date_added", "date_created", "added_at", "since"],
  ],
  status: ["status", "state", "member_status", "subscriber_state", "email_status"].concat([
    "marketing_status",
    "email_marketing_status",
    "subscription_status",
  ]),
  wanted: ["subscribed", "subscribed_to_emails", "accepts_marketing", "email_opt_in"],
  ended: [
    ...["unsub_time", "unsubscribed_at", "unsubscribe_date", "unsubscribed", "clean_time"],
    ...["cleaned_at", "bounced_at", "bounced", "deleted_at", "email_disabled", "cancelled_at"],
  ],
} as const;

const plain = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd}]+/gu, "_")
    .replace(/^_|_$/g, "");

/** The columns of a file by its headings; null when none of them is known to hold addresses. */
export function recognizeColumns(headings: readonly string[]): FileColumns | null {
  const names = headings.map(plain);
  const all = (of: readonly string[]) =>
    of.flatMap((name) => (names.includes(name) ? [names.indexOf(name)] : []));
  const [email] = all(known.email);
  if (email === undefined) return null;
  return { email, ...otherColumns(headings) };
}

/** All columns but that of the addresses. */
export function otherColumns(headings: readonly string[]): Omit<FileColumns, "email"> {
  const names = headings.map(plain);
  const all = (of: readonly string[]) =>
    of.flatMap((name) => (names.includes(name) ? [names.indexOf(name)] : []));
  const [first] = all(known.firstName);
  const [whole] = all(known.wholeName);
  const [timeZone = null] = all(known.timeZone);
  return {
    firstName: first ?? whole ?? null,
    isWholeName: first === undefined && whole !== undefined,
    timeZone,
    consent: all(known.consent),
    status: all(known.status),
    wanted: all(known.wanted),
    ended: all(known.ended),
  };
}

const marks: [service: string, heading: string][] = [
  ["Mailchimp", "member_rating"],
  ["Mailchimp", "optin_time"],
  ["Ghost", "subscribed_to_emails"],
  ["Substack", "active_subscription"],
  ["Kajabi", "kajabi_id"],
  ["Kit", "email_address"],
];

/** The service whose export a file looks like, or null. */
export function recognizeService(headings: readonly string[]): string | null {
  const names = headings.map(plain);
  const found = marks.find(([, heading]) => names.includes(heading));
  if (found) return found[0];
  return names.includes("subscribed") && names.includes("name") ? "Kajabi" : null;
}

const delimiters = [",", ";", "\t"] as const;

/** Comma, semicolon or tab: what the first line has most of, outside of quotation marks. */
export function delimiterOf(text: string): string {
  const [line = ""] = text
    .slice(0, 16_384)
    .replace(/"[^"]*"/g, "")
    .split(/\r\n|\r|\n/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best));
}

export type FileRow = {
  email: string;
  firstName: string;
  timeZone: string | null;
  hasLeft: boolean;
  /** As the file has it; null for an empty cell. */
  consent: string | null;
  consentAt: Date | null;
};

const gone =
  /unsub|non.?subscri|opted.?out|\bleft\b|gone|cancel|bounce|clean|complain|spam|suppress|inactive|delete|remove|block/i;
const asked = /unconfirmed|not.?confirmed|pending|waiting|invited/i;
const no = /^(no|false|0|n|f|never)$/i;
const nothing = /^(no|false|0|n|f|null|none|never|-)?$/i;

/** What a row says of a person. A date of consent counts if it is one between 1995 and `now`. */
export function readRow(cells: readonly string[], columns: FileColumns, now: Date): FileRow {
  const cell = (place: number | null) => (place === null ? "" : (cells[place] ?? "").trim());
  const name = cell(columns.firstName);
  const dates = columns.consent.map(cell).filter((text) => text !== "");
  const good = dates.map((text) => [text, dateOf(text, now)] as const).find(([, date]) => date);
  const [consent = dates[0] ?? null, day = null] = good ?? [];
  const isUnconfirmed = columns.status.some((place) => asked.test(cell(place)));
  return {
    email: cell(columns.email),
    firstName: cleanName(columns.isWholeName ? (name.split(/\s+/)[0] ?? "") : name),
    timeZone: cell(columns.timeZone) || null,
    hasLeft:
      columns.status.some((place) => gone.test(cell(place))) ||
      columns.wanted.some((place) => no.test(cell(place))) ||
      columns.ended.some((place) => !nothing.test(cell(place))),
    consent: consent?.slice(0, 60) ?? null,
    consentAt: isUnconfirmed ? null : day,
  };
}

const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

const cleanName = (name: string) => name.replace(unprintable, "").slice(0, 200).toWellFormed();

const earliest = Date.UTC(1995, 0, 1);
const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?.*)?$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4})(?:[T ,]+(\d{1,2}):(\d{2}).*)?$/;

/** The day that a text names: '2023-04-01 12:00:00', '4/25/2023', '25.4.2023', 'Apr 1, 2023'. Where
 * day and month could be either, dots mean the day first and all else the month. */
export function dateOf(text: string, now: Date): Date | null {
  const time = timeOf(text);
  if (time === null || Number.isNaN(time)) return null;
  return time >= earliest && time <= now.getTime() + 24 * 3600_000 ? new Date(time) : null;
}

function timeOf(text: string): number | null {
  const first = yearFirst.exec(text);
  if (first) {
    const [year, month, day, hour = 0, minute = 0, second = 0] = first
      .slice(1)
      .map((part) => (part === undefined ? undefined : Number(part)));
    return utc([year ?? 0, month ?? 0, day ?? 0, hour, minute, second]);
  }
  const last = yearLast.exec(text);
  if (last) {
    const [one, other, year] = [Number(last[1]), Number(last[3]), Number(last[4])];
    const isDayFirst = one > 12 || (last[2] === "." && other <= 12);
    const [month, day] = isDayFirst ? [other, one] : [one, other];
    return utc([year, month, day, Number(last[5] ?? 0), Number(last[6] ?? 0), 0]);
  }
  if (!/^[A-Z]/i.test(text) || !/\d{4}/.test(text) || text.length > 60) return null;
  const utcTime = Date.parse(`${text} UTC`);
  return Number.isNaN(utcTime) ? Date.parse(text) : utcTime;
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, s: number];

function utc([year, month, day, hour, minute, second]: Parts): number | null {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59) return null;
  const time = Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59));
  return new Date(time).getUTCDate() === day ? time : null;
}

/** What becomes of a row of a file. `unsubscribed`: the file says so. `ask`: by email. */
export type RowOutcome =
  | "confirm"
  | "ask"
  | "known"
  | "waiting"
  | "left"
  | "suppressed"
  | "unsubscribed"
  | "duplicate"
  | "invalid";

type Standing = { status: "pending" | "confirmed" | "unsubscribed" | null; isSuppressed: boolean };

/** Of an address that the list may have already. Who left is not subscribed again by a file. */
export function outcomeOf(
  { status, isSuppressed }: Standing,
  consentAt: Date | null,
): "confirm" | "ask" | "known" | "waiting" | "left" | "suppressed" {
  if (isSuppressed) return "suppressed";
  if (status === "unsubscribed") return "left";
  if (status === "confirmed") return "known";
  if (consentAt) return "confirm";
  return status === "pending" ? "waiting" : "ask";
}

/** How many emails an hour ask imported addresses: a new sender of more is taken for spam. */
export const asksAnHour = 200;

/** When the `n`-th of some emails goes out (from 0), after those that wait already. */
export function askAt(n: number, waitingUntil: Date | null, now: Date): Date {
  const pause = 3600_000 / asksAnHour;
  const first = Math.max(now.getTime(), (waitingUntil?.getTime() ?? 0) + pause);
  return new Date(first + n * pause);
}

/** An address in a list of problems: enough of it to be found, and no more. */
export function shortValue(value: string): string {
  return value.length > 60 ? `${value.slice(0, 59).toWellFormed()}…` : value;
}
