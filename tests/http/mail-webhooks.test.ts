import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { rateOfIssue } from "~/features/suppressions/rates.server.ts";
import { deleteOldMailReports } from "~/features/suppressions/reports.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { DeliveryState } from "~/platform/db/newsletter-tables.ts";
import { newAddress } from "../support/accounts.ts";
import {
  type Planted,
  type Provider,
  type Sent,
  type Signing,
  senders,
  snsMessage,
  startSns,
  webhookSettings,
} from "../support/mail-webhooks.ts";
import { openForTests } from "../support/open-for-tests.ts";
import { startSite } from "../support/site.ts";

const kit = openForTests(async () => {
  const sns = await startSns();
  const env = { TRUSTED_PROXIES: "1", ...webhookSettings };
  const site = await startSite(env, undefined, (config) => {
    const { ses } = config.mailWebhooks;
    const mailWebhooks = { ...config.mailWebhooks, ses: ses && { ...ses, origin: sns.origin } };
    return { ...config, mailWebhooks };
  });
  const close = async () => {
    await site.close();
    await sns.close();
  };
  return { ...site, sns, close };
});

const providers: Provider[] = ["ses", "postmark", "mailgun", "brevo", "resend"];
const signed: Provider[] = ["ses", "mailgun", "resend"];
const minuteMs = 60_000;
const ago = (ms: number) => new Date(kit.clock.now().getTime() - ms);

let callers = 0;
function post(provider: string, { body, headers }: Sent, caller?: string) {
  callers += 1;
  const from = caller ?? `10.9.${callers >> 8}.${callers & 255}`;
  const all = { "x-forwarded-for": from, ...headers };
  return kit.ask(`/api/webhooks/mail/${provider}`, { body, headers: all, origin: null });
}
const make = (provider: Provider, planted: Planted, signing: Partial<Signing> = {}) =>
  senders(kit.sns)[provider](planted, { at: kit.clock.now(), ...signing });
const send = async (provider: Provider, planted: Planted, signing: Partial<Signing> = {}) =>
  (await post(provider, make(provider, planted, signing))).status;

const suppressions = (...addresses: string[]) =>
  kit.services.db.read
    .selectFrom("suppressions")
    .selectAll()
    .where("address", "in", addresses)
    .execute();
const reports = (...addresses: string[]) =>
  kit.services.db.read
    .selectFrom("mailReports")
    .selectAll()
    .where("address", "in", addresses)
    .execute();

describe.each(providers)("POST /api/webhooks/mail/%s", (provider) => {
  test("suppresses twenty addresses that bounced, and one that complained", async () => {
    const some = Array.from({ length: 20 }, newAddress);
    for (const [index, address] of some.entries()) {
      const typed = index % 2 === 0 ? address : address.toUpperCase();
      expect(await send(provider, { address: typed })).toBe(200);
    }
    const found = await suppressions(...some);
    expect(found).toHaveLength(20);
    for (const one of found) {
      expect(one).toMatchObject({ reason: "bounce", source: provider });
      expect(one.detail).toContain("550 5.1.1");
    }
    const [complaining = ""] = [newAddress()];
    expect(await send(provider, { address: complaining, kind: "complaint" })).toBe(200);
    expect(await suppressions(complaining)).toMatchObject([{ reason: "complaint" }]);
  });

  test("a bounce that may pass suppresses nothing", async () => {
    const address = newAddress();
    expect(await send(provider, { address, kind: "soft" })).toBe(200);
    expect(await suppressions(address)).toEqual([]);
    // Mailgun tries again, and says so when it has given up.
    expect(await reports(address)).toHaveLength(provider === "mailgun" ? 0 : 1);
  });

  test("the same report again changes nothing, also after the address was lifted", async () => {
    const address = newAddress();
    const report = make(provider, { address });
    expect((await post(provider, report)).status).toBe(200);
    await kit.services.db.write.deleteFrom("suppressions").where("address", "=", address).execute();
    for (let round = 0; round < 3; round += 1)
      expect((await post(provider, report)).status).toBe(200);
    expect(await reports(address)).toHaveLength(1);
    expect(await suppressions(address)).toEqual([]);
  });

  test("a wrong secret is refused, and too many of them for a while", async () => {
    const address = newAddress();
    const secret =
      provider === "ses"
        ? generateKeyPairSync("rsa", { modulusLength: 2048 })
            .privateKey.export({ type: "pkcs8", format: "pem" })
            .toString()
        : "whsec_c29tZXRoaW5nIGVsc2UgZW50aXJlbHk=";
    const report = make(provider, { address }, { secret });
    const unsigned = { body: report.body, headers: {} };
    expect((await post(provider, report)).status).toBe(401);
    expect((await post(provider, unsigned)).status).toBe(401);
    const statuses = new Set<number>();
    for (let round = 0; round < 61; round += 1)
      statuses.add(
        (await post(provider, report, `192.0.2.${provider.length}${provider.length}`)).status,
      );
    expect([...statuses]).toEqual([401, 429]);
    expect(await reports(address)).toEqual([]);
    expect(await suppressions(address)).toEqual([]);
  });

  test("nonsense with the right secret is 400, or of no concern, and never 500", async () => {
    const { headers } = make(provider, { address: newAddress() });
    for (const body of ["", "{", "null", "[]", '"text"', "[[[[", '{"a":1}', "\0", "�{}", "9e999"])
      expect([200, 400, 401]).toContain((await post(provider, { body, headers })).status);
    expect((await post(provider, { body: "a".repeat(300_000), headers })).status).toBe(413);
  });
});

describe.each(signed)("POST /api/webhooks/mail/%s, signed", (provider) => {
  test("what was signed long ago is refused", async () => {
    const address = newAddress();
    expect(await send(provider, { address }, { at: ago(16 * minuteMs) })).toBe(401);
    expect(await send(provider, { address }, { at: ago(-16 * minuteMs) })).toBe(401);
    expect(await reports(address)).toEqual([]);
    expect(await send(provider, { address }, { at: ago(4 * minuteMs) })).toBe(200);
  });

  test("a changed report with the signature of another is refused", async () => {
    const [address, other] = [newAddress(), newAddress()];
    const report = make(provider, { address, id: newId() });
    expect((await post(provider, report)).status).toBe(200);
    const changed = report.body.replaceAll(address, other).replace(/"id":"[^"]+"/, '"id":"new"');
    expect((await post(provider, { ...report, body: changed })).status).toBe(401);
    expect(await suppressions(other)).toEqual([]);
  });
});

test("POST /api/webhooks/mail/ses: both versions of the signature, and a topic's confirmation", async () => {
  const { sns, clock } = kit;
  const address = newAddress();
  expect(await send("ses", { address }, { fields: { SignatureVersion: "1" } })).toBe(200);
  expect(await suppressions(address)).toHaveLength(1);
  const confirmation = {
    Type: "SubscriptionConfirmation",
    Token: "2336412f37",
    Message: "You have chosen to subscribe",
    SubscribeURL: `${sns.origin}/?Action=ConfirmSubscription&Token=2336412f37`,
  };
  const signing = { at: clock.now() };
  const confirm = async (fields: Record<string, string>) =>
    (await post("ses", snsMessage(sns, { ...confirmation, ...fields }, signing))).status;
  const before = sns.asked.length;
  expect(await confirm({ TopicArn: "arn:aws:sns:eu-west-1:123456789012:other" })).toBe(401);
  expect(await confirm({ SubscribeURL: "http://127.0.0.1:9/?Action=ConfirmSubscription" })).toBe(
    401,
  );
  expect(sns.asked).toHaveLength(before);
  expect(await confirm({})).toBe(200);
  expect(sns.asked.at(-1)).toBe("/?Action=ConfirmSubscription&Token=2336412f37");
});

test("POST /api/webhooks/mail/ses: a certificate from elsewhere is not asked for", async () => {
  const before = kit.sns.asked.length;
  const { origin } = kit.sns;
  for (const SigningCertURL of [
    "https://sns.eu-west-1.amazonaws.com.evil.example/x.pem",
    "http://127.0.0.1:9/x.pem",
    `${origin.replace("127", "user@127")}/x.pem`,
    `${origin}/x.pem?of=mine`,
    `${origin}/folder/x.pem`,
    `${origin}/x.txt`,
    "file:///x.pem",
    "",
  ])
    expect(await send("ses", { address: newAddress() }, { fields: { SigningCertURL } })).toBe(401);
  expect(kit.sns.asked).toHaveLength(before);
  const huge = { SigningCertURL: `${origin}/huge.pem` };
  expect(await send("ses", { address: newAddress() }, { fields: huge })).toBe(401);
});

test("POST /api/webhooks/mail/brevo: some reports at once, and no more than a hundred", async () => {
  const some = Array.from({ length: 101 }, newAddress);
  const all = some.map((address) => JSON.parse(make("brevo", { address }).body));
  const { headers } = make("brevo", { address: newAddress() });
  const batch = (count: number) =>
    post("brevo", { headers, body: JSON.stringify(all.slice(0, count)) });
  expect((await batch(101)).status).toBe(413);
  expect(await reports(...some)).toEqual([]);
  expect((await batch(100)).status).toBe(200);
  expect(await suppressions(...some)).toHaveLength(100);
});

test("POST /api/webhooks/mail: 404 for a provider that is unknown or not set", async () => {
  const report = make("postmark", { address: newAddress() });
  for (const provider of ["sendgrid", "toString", "SES", "%00"]) {
    const answer = await post(provider, report);
    expect(answer.status === 404 || answer.status === 400).toBe(true);
  }
  const site = await startSite();
  try {
    const path = "/api/webhooks/mail/postmark";
    const answer = await site.ask(path, { body: report.body, headers: report.headers });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "not_found" } });
  } finally {
    await site.close();
  }
});

describe("a report and the issue that it is about", () => {
  async function delivered(state: DeliveryState, notedAt = kit.clock.now()) {
    const { db, clock } = kit.services;
    const [address, subscriberId, issueId] = [newAddress(), newId(), newId()];
    const now = clock.now();
    await db.write
      .insertInto("subscribers")
      .values({
        ...{ id: subscriberId, emailKey: address, email: address, firstName: "Ada" },
        ...{ status: "confirmed", generation: 1, emailTimes: "[]", askedAt: now, createdAt: now },
      })
      .execute();
    await db.write
      .insertInto("newsletterIssues")
      .values({
        ...{ id: issueId, subject: "A letter", preview: "", body: "", html: "", state: "sending" },
        ...{ segment: JSON.stringify({ kind: "all" }), recipients: 10, sent: 5, doubtful: 2 },
        ...{ startedAt: ago(20 * 24 * 60 * minuteMs), createdAt: now, updatedAt: now },
      })
      .execute();
    await db.write
      .insertInto("newsletterDeliveries")
      .values({ issueId, subscriberId, state, dueAt: now, notedAt })
      .execute();
    const issue = () =>
      db.read
        .selectFrom("newsletterIssues")
        .innerJoin("newsletterDeliveries", "issueId", "newsletterIssues.id")
        .select(["sent", "refused", "doubtful", "newsletterDeliveries.state", "error"])
        .where("newsletterIssues.id", "=", issueId)
        .executeTakeFirstOrThrow();
    return { address, issueId, issue };
  }

  test.each([
    ["sent", { sent: 4, refused: 1, doubtful: 2, state: "refused" }],
    ["doubtful", { sent: 5, refused: 1, doubtful: 1, state: "refused" }],
    ["sending", { sent: 5, refused: 1, doubtful: 2, state: "refused" }],
    ["skipped", { sent: 5, refused: 0, doubtful: 2, state: "skipped" }],
  ] as const)("a bounce of one that was %s counts as refused, once", async (state, expected) => {
    const { address, issueId, issue } = await delivered(state);
    const report = make("resend", { address });
    for (let round = 0; round < 2; round += 1) await post("resend", report);
    expect(await issue()).toMatchObject(expected);
    expect(await reports(address)).toMatchObject([{ issueId }]);
  });

  test("a complaint leaves it sent, and counts in the rate; an old issue is not touched", async () => {
    const { address, issueId, issue } = await delivered("sent");
    await send("mailgun", { address, kind: "complaint" });
    expect(await issue()).toMatchObject({ sent: 5, refused: 0, state: "sent" });
    const rate = await rateOfIssue(kit.services.db.read, issueId);
    expect(rate).toEqual({ sent: 5, bounced: 0, complained: 1 });
    const old = await delivered("sent", ago(15 * 24 * 60 * minuteMs));
    await send("mailgun", { address: old.address });
    expect(await old.issue()).toMatchObject({ sent: 5, state: "sent" });
  });
});

test("reports are deleted after 90 days; their addresses stay on the list", async () => {
  const address = newAddress();
  await send("brevo", { address });
  await kit.services.db.write
    .updateTable("mailReports")
    .set({ createdAt: ago(91 * 24 * 60 * minuteMs) })
    .where("address", "=", address)
    .execute();
  await deleteOldMailReports.run(kit.services);
  expect(await reports(address)).toEqual([]);
  expect(await suppressions(address)).toHaveLength(1);
});
