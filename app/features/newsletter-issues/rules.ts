/** How many emails may have gone by the end of a day, the first of which is 0, where a domain is new to
 * sending: 200 on the first, twice as many on each one after it. */
export const warmUpAllowance = (day: number): number => 200 * (2 ** (day + 1) - 1);

/** Every email that was handed over, whatever came of it. */
export const triedOf = (issue: { sent: number; refused: number; doubtful: number }): number =>
  issue.sent + issue.refused + issue.doubtful;

/** How many per cent, as a whole number of emails: at least one. */
export const portionOf = (recipients: number, portion: number): number =>
  Math.max(1, Math.ceil((recipients * portion) / 100));

/** Something to look at before an issue goes out; `href` is where it can be changed. */
export type IssueCheck = { title: string; text: string; href?: string };

const longestShown = 70;

const promises =
  /\b(guarantee[ds]?|miracle|instant(?:ly)?|heal(?:ed)? (?:in|within)|get over (?:it|your)|move on|100 ?%|act now|last chance|limited time|don['’]t miss|free gift)\b/i;

/** What of its words could keep an issue from being opened, read or understood. */
export function wordChecks(issue: {
  subject: string;
  preview: string;
  body: string;
}): IssueCheck[] {
  const { subject, preview, body } = issue;
  const found: IssueCheck[] = [];
  const add = (title: string, text: string) => found.push({ title, text });
  if (subject.length > longestShown)
    add(
      "The subject is long",
      `On a phone, lists of emails show about ${longestShown} characters.`,
    );
  if (/!|\p{Lu}{6,}/u.test(subject))
    add("The subject is loud", "Exclamation marks and capitals look like advertising.");
  const [promise] = promises.exec(`${subject} ${preview} ${body}`) ?? [];
  if (promise)
    add(`It says “${promise}”`, "This may read as a promise that grief does not keep, or as spam.");
  if (preview.trim() === "")
    add(
      "There is no line beside the subject",
      "Without one, lists of emails show the greeting there.",
    );
  const pictures = [...body.matchAll(/!\[((?:[^[\]\\]|\\.){0,600})\]\(picture:/g)];
  const silent = pictures.filter(([, alt = ""]) => alt.trim() === "").length;
  if (silent > 0)
    add(
      silent === 1 ? "A picture has no description" : `${silent} pictures have no description`,
      "Many programs show no pictures at first, and some readers cannot see them.",
    );
  return found;
}
