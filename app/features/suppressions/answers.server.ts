import { createHash } from "node:crypto";
import type { ImapFlow } from "imapflow";
import type { Query } from "~/platform/db/database.ts";
import { messageIdDomain } from "~/platform/email/message.ts";
import type { Services } from "~/platform/http/services.ts";
import { answerFields, readAnswer } from "./delivery-reports.ts";
import { addressKey, issueDays } from "./rules.ts";

const mostLookedAt = 1000;

type Answer = { issueId: string; subscriberId: string; address: string };

/** Notes who answered an issue of the newsletter. The messages are the coach's: they are looked at whether
 * they have been read or not, and stay as they are. */
export async function readAnswers(services: Services, client: ImapFlow): Promise<void> {
  const { clock, config } = services;
  const since = new Date(clock.now().getTime() - issueDays * 24 * 3600_000);
  const ours = `@${messageIdDomain(config.mailFrom)}>`;
  const named = ["in-reply-to", "references"].map((field) => ({ header: { [field]: ours } }));
  const found = (await client.search({ since, or: named }, { uid: true })) || [];
  if (found.length === 0) return;
  const newest = found.toSorted((a, b) => b - a).slice(0, mostLookedAt);
  const asked = { uid: true, envelope: true, bodyStructure: true, headers: answerFields } as const;
  const all = await client.fetchAll(newest.join(","), asked, { uid: true });
  const answers = new Map<string, Answer>();
  for (const { envelope, bodyStructure, headers } of all) {
    const address = addressKey(envelope?.from?.[0]?.address ?? "");
    if (!address || !headers || bodyStructure?.type === "multipart/report") continue;
    const [first] = readAnswer(headers.toString("utf8"));
    if (first) answers.set(rowId(first), { ...first, address });
  }
  await noteAnswers(services, answers);
}

/** One for each reader and issue, however often they write. */
const rowId = ({ issueId, subscriberId }: Omit<Answer, "address">) =>
  `reply:${createHash("sha256").update(`${issueId}.${subscriberId}`).digest("base64url")}`;

async function noteAnswers({ db, clock }: Services, answers: Map<string, Answer>): Promise<void> {
  if (answers.size === 0) return;
  const ids = [...answers.keys()];
  const known = await db.read
    .selectFrom("mailReports")
    .select("id")
    .where("id", "in", ids)
    .execute();
  for (const { id } of known) answers.delete(id);
  for (const [id, answer] of answers) {
    const { issueId, address } = answer;
    // Only its reader knows the Message-ID of an email.
    if (!(await wasSent(db.read, answer))) continue;
    const row = { id, kind: "reply" as const, source: "mailbox", address, issueId };
    await db.write
      .insertInto("mailReports")
      .values({ ...row, createdAt: clock.now() })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  }
}

async function wasSent(db: Query, { issueId, subscriberId }: Answer): Promise<boolean> {
  const delivery = await db
    .selectFrom("newsletterDeliveries")
    .select("issueId")
    .where("issueId", "=", issueId)
    .where("subscriberId", "=", subscriberId)
    .where("state", "in", ["sending", "sent", "doubtful"])
    .executeTakeFirst();
  return delivery !== undefined;
}
