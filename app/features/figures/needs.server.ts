import { countFailedEmails, findEmailProblems } from "~/features/email-log/email-log.server.ts";
import { countExpiringInvitations } from "~/features/enrollments/invitations.server.ts";
import { helpDue } from "~/features/help/help.server.ts";
import { listPaymentIssues } from "~/features/payments/payments.server.ts";
import { countFailedReleases } from "~/features/releases/releases.server.ts";
import { suppressedPath } from "~/features/suppressions/messages.ts";
import { bounceRates } from "~/features/suppressions/rates.server.ts";
import { exceeded } from "~/features/suppressions/rules.ts";
import type { Services } from "~/platform/http/services.ts";
import { needWords } from "./messages.ts";

export type Need = { id: string; words: string; href: string; link: string };

const mostPayments = 5;
/** Counts stop here: more are 'nine or more'. */
const most = 10;
const soonMs = 3 * 24 * 3600_000;

type Reader = (services: Services, timeZone: string) => Promise<Need[]>;

const payments: Reader = async (services, timeZone) => {
  const listed = await listPaymentIssues(services, timeZone);
  const issues = listed.flatMap((payment) =>
    payment.issues.map(({ id, subject }) => ({
      ...{ id, words: subject, link: "Look at it" },
      href: `/admin/payments/${payment.id}`,
    })),
  );
  const more = { id: "payments", words: needWords.morePayments, link: "All payments" };
  return issues.length > mostPayments
    ? [...issues.slice(0, mostPayments), { ...more, href: "/admin/payments" }]
    : issues;
};

const emails: Reader = async (services, timeZone) => {
  const [{ refused, others }, trouble] = await Promise.all([
    countFailedEmails(services, most),
    findEmailProblems(services, timeZone),
  ]);
  const needs: Need[] = [];
  const add = (id: string, words: string, link: string, href = "/admin/mail") =>
    needs.push({ id, words, href, link });
  if (trouble && "since" in trouble) add("outage", needWords.outage, "What the mail server says");
  const failed = "/admin/mail?state=failed";
  if (refused > 0) add("refused", needWords.refused(refused, most), "Look at them", failed);
  if (others > 0) add("failed", needWords.failed(others, most), "Look at them", failed);
  if (trouble && "folder" in trouble) add("folder", needWords.folder, "What happens to them");
  return needs;
};

const bounces: Reader = async ({ db, clock }) => {
  const rates = await bounceRates(db.read, clock.now());
  const tooMany = exceeded(rates);
  const link = { href: suppressedPath, link: "Look at the addresses" };
  return [
    ...(tooMany.bounces ? [{ id: "bounces", words: needWords.bounces(rates), ...link }] : []),
    ...(tooMany.complaints
      ? [{ id: "complaints", words: needWords.complaints(rates), ...link }]
      : []),
  ];
};

const invitations: Reader = async (services) => {
  const count = await countExpiringInvitations(services, { ms: soonMs, most });
  if (count === 0) return [];
  const words = needWords.expiring(count, most);
  return [{ id: "expiring", words, href: "/admin/enrollments/invite", link: "Send again" }];
};

const help: Reader = async ({ clock }) => {
  const due = helpDue(clock.now()).length;
  if (due === 0) return [];
  const words = needWords.helpDue(due);
  return [{ id: "help", words, href: "/admin/help", link: "Look at them" }];
};

const releases: Reader = async (services) => {
  const count = await countFailedReleases(services);
  if (count === 0) return [];
  const words = needWords.failedReleases(count);
  return [{ id: "releases", words, href: "/admin/releases", link: "Look at them" }];
};

const damagedPages: Reader = async ({ content }) =>
  content.damaged.map(({ subject }) => {
    const name = subject.replace(/^page:/, "");
    const words = needWords.damagedPage(name);
    return { id: subject, words, href: `/admin/pages/${name}/history`, link: "Its versions" };
  });

/** In the order in which they are shown; what else needs the coach is added here. */
const readers: readonly Reader[] = [
  ...[payments, emails, bounces, releases, damagedPages, invitations, help],
];

/** What needs the coach, in lines with a link each. */
export async function readNeeds(services: Services, timeZone: string): Promise<Need[]> {
  const all = await Promise.all(readers.map((read) => read(services, timeZone)));
  return all.flat();
}
