import { makeZip } from "client-zip";
import { findEmailPreferences } from "~/features/accounts/email-preferences.server.ts";
import { findOutline, readPages } from "~/features/journal/entries.server.ts";
import { getBook } from "~/features/journal/journal-book.server.ts";
import { bookMarkdown } from "~/features/journal/journal-book.ts";
import { unreadableMessage } from "~/features/journal/journal-page-messages.ts";
import { listAllPhotographs, readPhotograph } from "~/features/journal/photographs.server.ts";
import { emailKey } from "~/features/newsletter/rules.ts";
import { subscriberId } from "~/features/newsletter/subscribers.server.ts";
import { findSuppression } from "~/features/suppressions/suppressions.server.ts";
import type { Tables } from "~/platform/db/tables.ts";
import type { Services } from "~/platform/http/services.ts";

type Whose = { userId: string; name: string; email: string; timeZone: string };

/** Everything that the site stores about one person, as a zip: the journal as Markdown, all data
 * as JSON, and a README. Each file is read in its turn, no faster than the client takes it. It
 * contains nothing about anybody else, and no key, token or password. */
export function exportPersonalData(services: Services, whose: Whose): ReadableStream<Uint8Array> {
  return makeZip(files(services, whose), { buffersAreUTF8: true });
}

async function* files(services: Services, whose: Whose) {
  const lastModified = services.clock.now();
  const asJson = async (read: Promise<unknown>) => `${JSON.stringify(await read, null, 2)}\n`;
  const { userId } = whose;
  // Long files come in parts, so that memory use stays flat.
  const inputs: Record<string, () => Promise<string> | AsyncIterable<string>> = {
    "README.txt": async () => readMe(lastModified),
    "my-journal.md": () => journalText(services, whose),
    "account.json": () => asJson(account(services, whose)),
    "courses.json": () => asJson(courses(services, userId)),
    "journal.json": () => journalJson(services, userId),
    "payments.json": () => asJson(payments(services, userId)),
    "emails.json": () => asJson(listEmails(services, whose)),
  };
  for (const [name, input] of Object.entries(inputs))
    yield { name, input: await input(), lastModified };
  for (const { id, createdAt } of await listAllPhotographs(services.db.read, userId)) {
    const bytes = await readPhotograph(services, { userId, id });
    const name = photographFile({ id });
    if (bytes) yield { name, input: bytes, lastModified: createdAt };
    else
      yield {
        name: `${name}.txt`,
        input: unreadableMessage(services.content.site.email),
        lastModified,
      };
  }
}

const photographFile = ({ id }: { id: string }) => `photographs/${id}.webp`;

async function* journalText(services: Services, whose: Whose) {
  yield* bookMarkdown(await getBook(services, whose), photographFile);
}

async function* journalJson(services: Services, userId: string) {
  const courses = await findOutline(services.db.read, userId);
  let isFirst = true;
  yield "[";
  for await (const page of readPages(services, userId, courses))
    for (const course of page) {
      yield `${isFirst ? "" : ","}\n${JSON.stringify(course, null, 2)}`;
      isFirst = false;
    }
  yield "\n]\n";
}

function readMe(now: Date): string {
  return `What this site stores about you
Made on ${now.toISOString()} (times here and in the other files are in UTC)

my-journal.md   Everything you have written, by course and lesson. It is plain text with a few
                signs (Markdown): every text program opens it.
photographs/    The photographs of handwritten pages that you added, if there are any; my-journal.md
                says to which lesson each belongs. Browsers and picture programs open them.
journal.json    The same for programs, with the exact times.
account.json    Your name and address, your time zone, which emails you get, how you sign in,
                where you are signed in, and what administrators did with your account, payments
                and enrollments. No passwords: nobody has them, this site neither.
courses.json    The courses you are or were enrolled in, the lessons you have opened and completed,
                and how far you are in videos and audios.
payments.json   What you paid for courses here. Your card is known to Stripe alone.
emails.json     Which emails were sent to you and when, your newsletter subscription and which
                newsletters it got in the last 90 days, invitations to your address, what came
                back from it (bounces, complaints, answers), and whether it gets no emails.

The files that end in .json are meant for programs, but a text program opens them too.
`;
}

type OwnTable = "sessions" | "accounts" | "factors" | "backupCodes" | "passkeys";

async function account(services: Services, { userId }: Whose) {
  const { db } = services;
  const own = <T extends OwnTable>(table: T, columns: (keyof Tables[T] & string)[]) =>
    db.read
      .selectFrom<OwnTable>(table)
      .select(columns as "createdAt"[])
      .where("userId", "=", userId)
      .orderBy("createdAt")
      .execute();
  const [profile, sessions, ways, apps, codes, passkeys, address, reader, care, done] =
    await Promise.all([
      db.read
        .selectFrom("profiles")
        .select(["id", "name", "email", "emailVerified", "image", "role", "timeZone"])
        .select(["timeZoneChosenAt", "deletionDueAt", "suspendedAt", "suspendedReason"])
        .select(["factorReminderAt", "createdAt", "updatedAt"])
        .where("id", "=", userId)
        .executeTakeFirstOrThrow(),
      own("sessions", [
        "createdAt",
        "lastUsedAt",
        "expiresAt",
        "ipAddress",
        "userAgent",
        "secondFactorAt",
      ]),
      own("accounts", ["providerId", "accountId", "providerEmail", "createdAt", "updatedAt"]),
      own("factors", ["friendlyName", "factorType", "status", "createdAt", "lastUsedAt"]),
      own("backupCodes", ["createdAt", "usedAt"]),
      own("passkeys", ["name", "deviceType", "createdAt", "lastUsedAt"]),
      db.read
        .selectFrom("emailChanges")
        .select(["newEmail", "oldConfirmedAt", "newConfirmedAt", "expiresAt"])
        .where("userId", "=", userId)
        .executeTakeFirst(),
      findEmailPreferences(services, userId),
      db.read
        .selectFrom("careRequests")
        .select(["createdAt", "activeAt", "writtenAt"])
        .where("userId", "=", userId)
        .executeTakeFirst(),
      // The actor may be another person, so it is left out.
      db.read
        .selectFrom("auditEntries")
        .select(["action", "label", "details", "createdAt"])
        .where("personId", "=", userId)
        .orderBy("createdAt")
        .execute(),
    ]);
  return {
    profile,
    newAddress: address ?? null,
    emailPreferences: reader?.choices ?? null,
    writeToMeIfQuiet: care ?? null,
    waysToSignIn: ways,
    authenticatorApps: apps,
    backupCodes: codes,
    passkeys,
    sessions,
    doneByAdministrators: done,
  };
}

async function courses({ db }: Services, userId: string) {
  const [enrollments, former, opened, completed, places, completedModules] = await Promise.all([
    db.read
      .selectFrom("enrollments")
      .innerJoin("products", "products.id", "enrollments.productId")
      .select(["products.title as course", "enrollments.createdAt", "lessonsFromAt"])
      .select("stripePaymentId")
      .where("userId", "=", userId)
      .orderBy("enrollments.createdAt")
      .execute(),
    // Who ended it may be another person, so it is left out.
    db.read
      .selectFrom("formerEnrollments")
      .innerJoin("products", "products.id", "formerEnrollments.productId")
      .select(["products.title as course", "formerEnrollments.createdAt", "removedAt", "reason"])
      .select(["stripePaymentId", "lessonsFromAt"])
      .where("userId", "=", userId)
      .orderBy("removedAt")
      .execute(),
    db.read
      .selectFrom("lessonViews")
      .innerJoin("lessons", "lessons.id", "lessonViews.lessonId")
      .select(["lessons.title as lesson", "lessonViews.createdAt as firstOpenedAt"])
      .where("lessonViews.userId", "=", userId)
      .orderBy("lessonViews.createdAt")
      .execute(),
    db.read
      .selectFrom("progress")
      .innerJoin("lessons", "lessons.id", "progress.lessonId")
      .innerJoin("modules", "modules.id", "lessons.moduleId")
      .innerJoin("products", "products.id", "modules.productId")
      .select(["products.title as course", "modules.title as module", "lessons.title as lesson"])
      .select("progress.createdAt as completedAt")
      .where("progress.userId", "=", userId)
      .orderBy("progress.createdAt")
      .execute(),
    db.read
      .selectFrom("playbackPositions")
      .innerJoin("lessons", "lessons.id", "playbackPositions.lessonId")
      .select(["lessons.title as lesson", "kind", "positionMs", "playbackPositions.updatedAt"])
      .where("playbackPositions.userId", "=", userId)
      .orderBy("playbackPositions.updatedAt")
      .execute(),
    db.read
      .selectFrom("moduleCompletionEmails")
      .innerJoin("modules", "modules.id", "moduleCompletionEmails.moduleId")
      .select(["modules.title as module", "moduleCompletionEmails.createdAt as completedAt"])
      .where("moduleCompletionEmails.userId", "=", userId)
      .orderBy("moduleCompletionEmails.createdAt")
      .execute(),
  ]);
  return {
    enrollments,
    formerEnrollments: former,
    openedLessons: opened,
    completedLessons: completed,
    completedModules,
    playbackPlaces: places,
  };
}

function payments({ db }: Services, userId: string) {
  return db.read
    .selectFrom("payments")
    .innerJoin("products", "products.id", "payments.productId")
    .select(["payments.id", "products.title as course", "payments.status", "amountCents"])
    .select(["refundedCents", "currency", "paymentIntentId", "checkoutSessionId", "dispute"])
    .select(["payments.createdAt", "paidAt", "endedAt", "receiptAt"])
    .where("payments.userId", "=", userId)
    .orderBy("payments.createdAt")
    .execute();
}

async function listEmails(services: Services, { userId, email }: Whose) {
  const { db } = services;
  const address = emailKey(email);
  const reader = subscriberId(services, address);
  const [sent, subscription, issues, invitations, suppression, reports] = await Promise.all([
    db.read
      .selectFrom("sentEmails")
      .select(["subject", "kind", "createdAt as sentAt"])
      .where("userId", "=", userId)
      .orderBy("createdAt")
      .execute(),
    db.read
      .selectFrom("subscribers")
      .select(["email", "firstName", "status", "askedAt", "confirmedAt", "unsubscribedAt"])
      .select(["monthly", "quietUntilAt", "leaveReason", "timeZone", "source", "consent"])
      .where("id", "=", reader)
      .executeTakeFirst(),
    db.read
      .selectFrom("newsletterDeliveries")
      .innerJoin("newsletterIssues", "newsletterIssues.id", "newsletterDeliveries.issueId")
      .select(["subject", "newsletterDeliveries.state", "notedAt as at"])
      .where("subscriberId", "=", reader)
      .where("notedAt", "is not", null)
      .orderBy("notedAt")
      .execute(),
    db.read
      .selectFrom("invitations")
      .innerJoin("products", "products.id", "invitations.productId")
      .select(["products.title as course", "invitations.name", "invitations.createdAt"])
      .select(["expiresAt", "acceptedAt", "withdrawnAt"])
      .where("invitations.email", "=", address)
      .orderBy("invitations.createdAt")
      .execute(),
    findSuppression(services, address),
    db.read
      .selectFrom("mailReports")
      .select(["kind", "source", "createdAt"])
      .where("address", "=", address)
      .orderBy("createdAt")
      .execute(),
  ]);
  const { reason, source, detail, createdAt } = suppression ?? {};
  return {
    ...{ sent, newsletter: subscription ? { ...subscription, issues } : null, invitations },
    getsNoEmail: suppression ? { reason, source, detail, createdAt } : null,
    cameBack: reports,
  };
}
