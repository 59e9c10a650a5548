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
  folder: "Emails are not sent yet: no mail server is set up",
  expiring: (count: number, most: number) =>
    `${counted(count, most, "invitation stops", "invitations stop")} working within three days`,
  morePayments: "More payments need you",
} as const;

export const overviewLoadFailed = "Failed to load the overview";
