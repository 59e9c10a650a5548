import type { FetchMessageObject, ImapFlow, MessageStructureObject } from "imapflow";
import { isThisMachine } from "~/platform/config/config.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import type { RegularTask } from "~/platform/jobs/regular.ts";
import { readAnswers } from "./answers.server.ts";
import { messageIdOf, readDeliveryStatus, readFeedbackReport } from "./delivery-reports.ts";
import { type MailReport, recordReports } from "./reports.server.ts";
import { addressKey, isAboutAddress, issueDays } from "./rules.ts";

const mostAtOnce = 200;
const mostLookedAt = 1000;
const largestMessage = 1024 * 1024;
const largestPart = 64 * 1024;
const patienceMs = 10_000;
/** Of a whole round; what is left is read in the next. */
const longestRoundMs = 120_000;

/** Reads the mailbox that bounces come to. What is not about an email of this site stays as it is. Safe
 * on several machines: reports are known by their Message-IDs. */
export const readBounceMailbox: RegularTask = {
  name: "suppressions.mailbox",
  async run(services) {
    const { bounceMailboxUrl: address } = services.config;
    if (address) await readMailbox(services, new URL(address));
  },
};

async function readMailbox(services: Services, url: URL): Promise<void> {
  const client = await openClient(url);
  let failure: unknown;
  // Faults come this way also when nothing waits for the server; without a listener they end the site.
  client.on("error", (error) => {
    failure = error;
  });
  const limit = setTimeout(() => client.close(), longestRoundMs);
  try {
    await client.connect();
    const folder = decodeURIComponent(url.pathname.replace(/^\//, "")) || "INBOX";
    const lock = await client.getMailboxLock(folder);
    try {
      await readUnseen(services, client);
      await readAnswers(services, client);
    } finally {
      lock.release();
    }
    await client.logout();
  } catch (error) {
    const { message } = (failure ?? error) as Error;
    // The error itself may hold what was said to the server.
    throw new Error(`the mailbox for bounces could not be read: ${message}`);
  } finally {
    clearTimeout(limit);
    client.close();
  }
}

async function openClient(url: URL): Promise<ImapFlow> {
  // Most sites have no such mailbox.
  const { ImapFlow } = await import("imapflow");
  const { protocol, hostname, port, username, password } = url;
  const secure = protocol === "imaps:";
  return new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    // A password goes to another machine only encrypted.
    ...(!secure && !isThisMachine(hostname) && { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: 3 * patienceMs,
  });
}

async function readUnseen(services: Services, client: ImapFlow): Promise<void> {
  const since = new Date(services.clock.now().getTime() - issueDays * 24 * 3600_000);
  const unseen = (await client.search({ seen: false, since }, { uid: true })) || [];
  if (unseen.length === 0) return;
  const newest = unseen.toSorted((a, b) => b - a).slice(0, mostLookedAt);
  const asked = { uid: true, size: true, envelope: true, bodyStructure: true } as const;
  const all = await client.fetchAll(newest.join(","), asked, { uid: true });
  const reports = all
    .filter(({ size = 0, bodyStructure }) => size <= largestMessage && isReport(bodyStructure))
    .sort((a, b) => b.uid - a.uid)
    .slice(0, mostAtOnce);
  for (const message of reports) {
    const found = await readReport(services, client, message);
    if (!found) continue;
    await recordReports(services, "mailbox", found);
    await client.messageFlagsAdd(String(message.uid), ["\\Seen"], { uid: true });
  }
}

const isReport = (part?: MessageStructureObject) => part?.type === "multipart/report";

function partOf(structure: MessageStructureObject | undefined, ...types: string[]) {
  return structure?.childNodes?.find(({ type }) => types.includes(type));
}

/** What a message reports of an email of this site; null when it is about none. */
async function readReport(
  { db }: Services,
  client: ImapFlow,
  { uid, envelope, bodyStructure }: FetchMessageObject,
): Promise<MailReport[] | null> {
  const textOf = async (part: MessageStructureObject | undefined) => {
    if (!part?.part) return "";
    const options = { uid: true, maxBytes: largestPart };
    const { content } = await client.download(String(uid), part.part, options);
    const pieces: Buffer[] = [];
    for await (const piece of content ?? []) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString("utf8");
  };
  const original = partOf(bodyStructure, "message/rfc822");
  const head = partOf(bodyStructure, "text/rfc822-headers");
  const messageId = original?.envelope?.messageId ?? messageIdOf(await textOf(head));
  if (!messageId) return null;
  const find = (candidates: string[]) => findRecipient(db.read, messageId, candidates);
  const id = envelope?.messageId?.replace(/[<>]/g, "") || `of ${messageId}`;

  const complaint = readFeedbackReport(
    await textOf(partOf(bodyStructure, "message/feedback-report")),
  );
  if (complaint) {
    const address = await find(complaint.recipients);
    const report = { id, kind: "complaint", isPermanent: true, detail: complaint.said } as const;
    return address ? [{ ...report, address }] : null;
  }
  const deliveries = readDeliveryStatus(
    await textOf(partOf(bodyStructure, "message/delivery-status")),
  );
  // An email of this site has one recipient; the first that failed tells.
  const failed = deliveries.find(({ action }) => action === "failed");
  const address = await find(deliveries.flatMap(({ recipients }) => recipients));
  if (!address) return null;
  if (!failed) return [];
  const { status, said } = failed;
  const isPermanent = isAboutAddress(status);
  return [{ id, kind: "bounce", address, isPermanent, detail: said || status || null }];
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** To whom an email of this site went. Anybody can send a bounce to the mailbox: it counts only if it
 * names a Message-ID that none but its recipient has seen. */
async function findRecipient(
  db: Query,
  messageId: string,
  candidates: string[],
): Promise<string | null> {
  const ids = (messageId.toLowerCase().match(uuid) ?? []).slice(0, 4);
  if (ids.length === 0) return null;
  const subscriber = await db
    .selectFrom("subscribers")
    .select("emailKey")
    .where("id", "in", ids)
    .executeTakeFirst();
  if (subscriber) return subscriber.emailKey;
  const email = await db
    .selectFrom("outbox")
    .leftJoin("profiles", "profiles.id", "outbox.userId")
    .select(({ fn }) => fn.coalesce("outbox.address", "profiles.email").as("address"))
    .where("outbox.id", "in", ids)
    .executeTakeFirst();
  if (!email) return null;
  if (email.address) return addressKey(email.address);
  // Emails of the newsletter's sign-up leave no address behind: it is one of the list, or none.
  const keys = candidates.map(addressKey).filter((key) => key !== null);
  if (keys.length === 0) return null;
  const known = await db
    .selectFrom("subscribers")
    .select("emailKey")
    .where("emailKey", "in", keys)
    .executeTakeFirst();
  return known?.emailKey ?? null;
}
