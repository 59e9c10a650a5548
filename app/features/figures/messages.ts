export const weekFigureNames: Readonly<Record<string, string>> = {
  "signed-up": "Sign-ups",
  enrolled: "Enrollments",
  paid: "Revenue",
  refunded: "Refunds",
  confirmed: "Subscribers confirmed",
  gone: "Subscribers gone",
};

type Series = { names: readonly string[]; words: readonly string[]; values: readonly number[] };

/** What a picture of weeks shows, for readers who do not see it. */
export function weekWords(name: string, { names, words, values }: Series): string {
  const now = `This week so far: ${words.at(-1)}.`;
  const most = Math.max(...values);
  if (most <= 0) return `${name} in the last ${names.length} weeks: none. ${now}`;
  const at = values.indexOf(most);
  const when = at === names.length - 1 ? "this week" : `in the week from ${names[at]}`;
  return `${name} in the last ${names.length} weeks. The most was ${words[at]}, ${when}. ${now}`;
}

const upTo = (count: number, most: number) => (count < most ? `${count}` : `${most - 1} or more`);

const counted = (count: number, most: number, one: string, many: string) =>
  count === 1 ? `One ${one}` : `${upTo(count, most)} ${many}`;

/** What needs the coach, in a line each; counts stop at `most`. */
export const needWords = {
  refused: (count: number, most: number) =>
    `${counted(count, most, "email was", "emails were")} refused by the receiving mail server: is the address right?`,
  failed: (count: number, most: number) =>
    `${counted(count, most, "email was", "emails were")} not sent`,
  outage: "Emails cannot be sent now. They wait, and are tried again",
  bounces: ({ sent, bounced }: { sent: number; bounced: number }) =>
    `${bounced.toLocaleString("en-US")} of ${sent.toLocaleString("en-US")} emails of the last 30 days bounced: mail servers begin to refuse who sends to many wrong addresses`,
  complaints: ({ complained }: { complained: number }) =>
    `${complained.toLocaleString("en-US")} emails of the last 30 days were reported as spam: mail servers begin to refuse who is reported often`,
  folder: "Emails are not sent yet: no mail server is set up",
  expiring: (count: number, most: number) =>
    `${counted(count, most, "invitation stops", "invitations stop")} working within three days`,
  helpDue: (count: number) =>
    `Help numbers of ${count === 1 ? "a country" : `${count} countries`} were last checked over 180 days ago`,
  failedReleases: (count: number) =>
    `${count === 1 ? "A release was" : `${count} releases were`} not published at the time you chose`,
  damagedPage: (name: string) =>
    `The words of a page (${name}) cannot be read, and an older version is shown`,
  morePayments: "More payments need you",
} as const;

export const careMessages = {
  written: {
    title: "Noted. They are back here three weeks after their next sign",
    tone: "success",
  },
  gone: "Somebody has noted this already, or it is not asked for any more.",
  failed: "Failed to note it",
} as const;

export const overviewLoadFailed = "Failed to load the overview";

const hourMs = 3600_000;

/** 'Half of the last 40 students who began opened their first lesson within 3 hours.' */
export function firstLessonWords(
  median: number | null,
  { began, of }: { began: number; of: number },
): string {
  if (of === 0) return "No one is enrolled yet.";
  const people = of === 1 ? "Of one student" : `Of the last ${of} students`;
  const counted = `${people}, ${began} ${began === 1 ? "has" : "have"} opened a lesson.`;
  return median === null
    ? `${counted} How long it took is said from five on.`
    : `${counted} Half of them did within ${spanWords(median)} of enrolling.`;
}

function spanWords(ms: number): string {
  const hours = Math.ceil(ms / hourMs);
  if (hours <= 1) return "an hour";
  if (hours < 48) return `${hours} hours`;
  return `${Math.ceil(hours / 24)} days`;
}

export const stopWords = (count: number) =>
  count === 1 ? "one student has stopped before it" : `${count} students have stopped before it`;

export const courseFiguresLoadFailed = "Failed to load how it goes";

export const visitsLoadFailed = "Failed to load visits";
