import { check, type Definition, good, goodUnlessAny, missing, worthALook } from "./definition.ts";
import type { CourseFacts } from "./facts.ts";
import {
  agoWords,
  brokenPromises,
  counted,
  fieldPath,
  isExampleUrl,
  isReservedHost,
  promises,
  serverPath,
  sizeWords,
} from "./rules.ts";

const hourMs = 3600_000;

const isOpen = ({ comingSoon }: CourseFacts) => !comingSoon;
const isSold = (course: CourseFacts) => isOpen(course) && course.priceCents > 0;

/** The texts in which a course's page says what one gets; not the questions, which may say what it
 * is not. */
function promisingTexts({ words }: CourseFacts): string[] {
  if (!words) return [];
  const { facts, get, description } = words.shown;
  const lines = Array.isArray(facts) ? facts.map(({ fact = "" }) => fact) : [];
  return [...lines, String(get ?? ""), String(description ?? "")];
}

const courses = "courses";

export const coursesChecks: readonly Definition[] = [
  check(
    "open-course",
    { group: courses, title: "A course to enroll in", href: "/admin/courses" },
    ["courses"],
    ({ courses }) => {
      if (courses.length === 0) return missing("No course is active: visitors find none.");
      const open = courses.filter(isOpen).length;
      return open === 0
        ? worthALook("Every course says “Coming Soon”: no one can enroll yet.")
        : good(`${counted(open, "course is", "courses are")} open.`);
    },
  ),
  check(
    "lessons",
    { group: courses, title: "Lessons", href: "/admin/lessons" },
    ["courses"],
    ({ courses }) =>
      goodUnlessAny(
        courses
          .filter((course) => isOpen(course) && course.lessons === 0)
          .map(({ id, title }) => ({
            ...missing(`“${title}” is open and has no lesson yet.`),
            href: `/admin/courses/${id}`,
          })),
        "Every open course has some.",
      ),
  ),
  check(
    "promises",
    { group: courses, title: "What course pages promise", href: "/admin/courses" },
    ["courses"],
    ({ courses }) =>
      goodUnlessAny(
        courses.filter(isOpen).flatMap((course) =>
          brokenPromises(promisingTexts(course), course.parts).map((promised) => ({
            ...missing(brokenWords(course.title, promised)),
            href:
              promised === "audio"
                ? `/admin/lessons?course=${course.id}`
                : fieldPath(`course:${course.id}`, "facts"),
          })),
        ),
        "Every open course has what its page names: worksheets, workbook, audio.",
      ),
  ),
  check(
    "sample-recordings",
    { group: courses, title: "Recordings", href: "/admin/lessons" },
    ["courses"],
    ({ courses }) =>
      goodUnlessAny(
        courses
          .filter(({ samples }) => samples > 0)
          .map(({ id, title, samples }) => ({
            ...worthALook(
              `${counted(samples, "lesson", "lessons")} of “${title}” ${samples === 1 ? "plays" : "play"} a short recording that came with the site. Is it what you want to say?`,
            ),
            href: `/admin/lessons?course=${id}`,
          })),
        "None of them came with the site.",
      ),
  ),
];

function brokenWords(title: string, promised: keyof typeof promises): string {
  const { name } = promises[promised];
  return promised === "audio"
    ? `The page of “${title}” promises ${name}, and no lesson has any. Upload some, or take the words out.`
    : `The page of “${title}” promises ${name}, and no lesson has questions or a file to download. Add some, or take the words out.`;
}

const money = "money";
/** A payment and its webhook come together; the webhook is noted to the hour. */
const webhookLateMs = 2 * hourMs;

export const moneyChecks: readonly Definition[] = [
  check(
    "stripe-key",
    { group: money, title: "Taking money", href: serverPath },
    ["stripe", "courses"],
    ({ stripe: { key }, courses }) => {
      const sells = courses.some(isSold);
      if (key === "live") return good("Stripe is connected.");
      if (key === "test") {
        const text =
          "Stripe is in test mode: no money moves, and anybody can open a course with the number of the test card. Set the live keys.";
        return sells ? missing(text) : worthALook(text);
      }
      return sells
        ? missing(
            "A course has a price, and Stripe is not connected: no one can buy it. Set Stripe’s keys.",
          )
        : good("Nothing is for sale, so Stripe is not needed.");
    },
  ),
  check(
    "stripe-webhook",
    { group: money, title: "Word from Stripe", href: serverPath },
    ["stripe", "courses"],
    ({ stripe: { key, heardMs, paidMs }, courses }) => {
      if (key === "none") return good("Stripe is not connected, so there is none.");
      const never =
        "Stripe has never sent word of a payment (by its webhook). Add the webhook at Stripe, and buy a course once with the test card.";
      if (heardMs === null)
        return courses.some(isSold) || paidMs !== null ? missing(never) : worthALook(never);
      return paidMs !== null && heardMs - paidMs > webhookLateMs
        ? missing(
            `The last payment was found only when the site asked Stripe. Its own word (the webhook) last came ${agoWords(heardMs)}.`,
          )
        : good(`It last came ${agoWords(heardMs)}.`);
    },
  ),
];

const email = "email";

export const emailChecks: readonly Definition[] = [
  check(
    "mail-server",
    { group: email, title: "Sending emails", href: "/admin/mail" },
    ["mail"],
    ({ mail: { hasServer, outage } }) => {
      if (!hasServer)
        return missing(
          "No mail server is set up: every email becomes a file, and no one gets it (SMTP_URL).",
        );
      return outage === null
        ? good("A mail server is set up.")
        : missing(`Emails cannot be sent now. The mail server says: ${outage.slice(0, 200)}`);
    },
  ),
  check(
    "mail-from",
    { group: email, title: "The sender’s address", href: serverPath },
    ["mail"],
    ({ mail: { domain } }) =>
      isReservedHost(domain) || !domain.includes(".")
        ? missing(`Emails come from an address at ${domain}, which is an example (MAIL_FROM).`)
        : good(`Emails come from an address at ${domain}.`),
  ),
  check(
    "test-email",
    { group: email, title: "A test email", href: "/admin/mail" },
    ["mail"],
    ({ mail: { test } }) => {
      if (!test) return missing("None was ever sent. Send one, and see that it arrives.");
      if (test.result === "sent") return good(`It was sent ${agoWords(test.ageMs)}.`);
      return missing(
        test.result === "failed"
          ? `The last one, ${agoWords(test.ageMs)}, was not sent.`
          : `The last one, ${agoWords(test.ageMs)}, became a file. Send another one.`,
      );
    },
  ),
  check(
    "failed-emails",
    { group: email, title: "Emails that failed", href: "/admin/mail?state=failed" },
    ["mail"],
    ({ mail: { failed } }) =>
      failed === 0
        ? good("There are none.")
        : worthALook(
            `${failed > 9 ? "Ten or more emails were" : counted(failed, "email was", "emails were")} not sent. Look at them, and remove them from the list.`,
          ),
  ),
];

const safety = "safety";
/** A backup a night, and two hours for it to be late. */
const backupEveryMs = 26 * hourMs;
const [leastFree, lowFree] = [1e9, 5e9];

export const safetyChecks: readonly Definition[] = [
  check(
    "address",
    { group: safety, title: "The site’s address", href: serverPath },
    ["address"],
    ({ address }) => {
      if (isExampleUrl(address))
        return missing(`${address} can be opened on one machine alone (APP_URL).`);
      return address.startsWith("https://")
        ? good(`It is ${address}.`)
        : missing(`${address} is not encrypted: it must begin with https:// (APP_URL).`);
    },
  ),
  check(
    "backup",
    { group: safety, title: "Backups", href: serverPath },
    ["backup"],
    ({ backup }) => {
      if (backup === null)
        return missing(
          "None was made yet. What students write is on one disk. There should be one each night.",
        );
      return backup > backupEveryMs
        ? missing(`The last one was made ${agoWords(backup)}. There should be one each night.`)
        : good(`The last one was made ${agoWords(backup)}.`);
    },
  ),
  check(
    "two-factor",
    { group: safety, title: "Signing in as administrator", href: "/account/security" },
    ["admins"],
    ({ admins: { all, without } }) => {
      if (all === 0) return missing("There is no administrator yet.");
      if (without === 0) return good("Every administrator signs in in two steps.");
      return all === 1
        ? worthALook("You sign in with a password alone. Add an app or a passkey.")
        : worthALook(
            `${counted(without, "administrator signs in with a password", "administrators sign in with passwords")} alone. Add an app or a passkey.`,
          );
    },
  ),
  check(
    "disk",
    { group: safety, title: "Room on the disk", href: serverPath },
    ["disk"],
    ({ disk: { free, all } }) => {
      const text = `${sizeWords(free)} of ${sizeWords(all)} are free.`;
      if (free < leastFree) return missing(`${text} Make room before uploads fail.`);
      return free < lowFree ? worthALook(`${text} Make some before you upload films.`) : good(text);
    },
  ),
  check(
    "data-folder",
    { group: safety, title: "The folder with the data", href: serverPath },
    ["folder"],
    ({ folder }) =>
      folder.isOpen
        ? worthALook(
            `Other users of the server may look into it. Close it there: chmod 700 ${folder.path}`,
          )
        : good("Only the site itself can look into it."),
  ),
];
