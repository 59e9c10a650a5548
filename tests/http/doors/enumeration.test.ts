import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { readable } from "../../support/answers.ts";
import { letterTo } from "../../support/mailbox.ts";
import { startSite, type TestSite } from "../../support/site.ts";
import { visitor } from "../../support/visitor.ts";

let site: TestSite;
beforeAll(async () => {
  site = await startSite({ TRUSTED_PROXIES: "1" });
});
afterAll(() => site.close());

/** Addresses of every kind that a stranger may ask about. */
const kinds = {
  nobody: async () => newAddress(),
  known: async () => (await createAccount(site.services)).email,
  administrator: async () => (await createAccount(site.services, { role: "admin" })).email,
  unconfirmed: async () => {
    const email = newAddress();
    const form = { name: "Ada", email, password: goodPassword };
    await visitor(site).ask("/auth?mode=sign-up", { form });
    await letterTo(site.services.config, email);
    return email;
  },
};
type Ask = (email: string) => Promise<Response>;
const wrong = "Wrong-horse-9";
const json =
  (path: string, body: (email: string) => object): Ask =>
  (email) =>
    visitor(site).ask(`/api/auth${path}`, { json: body(email) });
const form =
  (path: string, fields: (email: string) => Record<string, string>): Ask =>
  (email) =>
    visitor(site).ask(path, { form: fields(email) });

const questions: Record<string, Ask> = {
  "signing in": form("/auth", (email) => ({ email, password: wrong })),
  "signing in directly": json("/sign-in/email", (email) => ({ email, password: wrong })),
  "signing up": form("/auth?mode=sign-up", (email) => ({ name: "Ada", email, password: wrong })),
  "signing up directly": json("/sign-up/email", (email) => ({
    name: "Ada",
    email,
    password: wrong,
  })),
  "a forgotten password": form("/auth/forgot", (email) => ({ email })),
  "a forgotten password, directly": json("/request-password-reset", (email) => ({ email })),
  "the letter again": form("/auth", (email) => ({ intent: "resend", email })),
  "the letter again, directly": json("/send-verification-email", (email) => ({ email })),
  "the newsletter": form("/newsletter", (email) => ({ firstName: "Ada", email })),
  "an invitation that is none": form("/invitation?token=x", (email) => ({
    email,
    password: wrong,
  })),
};

/** What an answer tells, without what is made anew for each: times, ids, nonces, the address itself. */
async function told(answer: Response, email: string) {
  const headers = [...answer.headers].filter(
    ([name]) => !/^(date|content-length|etag)$/.test(name),
  );
  const text = JSON.stringify([answer.status, headers, readable(await answer.text())]);
  return (
    text
      .replaceAll(email, "ADDRESS")
      .replaceAll(encodeURIComponent(email), "ADDRESS")
      .replaceAll(/nonce-[\w+/=]+/g, "NONCE")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
      // A cookie that holds such an id is signed, so its signature is made anew too.
      .replaceAll(/ID\.[\w-]{43}/g, "ID.SIGNATURE")
  );
}

describe("nobody is told who has an account", () => {
  test.each(Object.entries(questions))("%s", async (_, ask) => {
    const answers: Record<string, string> = {};
    for (const [kind, make] of Object.entries(kinds)) {
      const email = await make();
      answers[kind] = await told(await ask(email), email);
    }
    for (const kind of Object.keys(kinds))
      expect([kind, answers[kind]]).toEqual([kind, answers.nobody]);
  });
});

const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;

describe("nor does the time of an answer tell", { timeout: 120_000 }, () => {
  const timed = [
    "signing in directly",
    "signing up directly",
    "a forgotten password, directly",
    "the letter again, directly",
  ];
  test.each(timed)("%s", async (question) => {
    const ask = questions[question];
    if (!ask) throw new Error(question);
    const rounds = 15;
    const times: Record<string, number[]> = { nobody: [], known: [] };
    for (let round = 0; round < rounds; round += 1)
      for (const kind of round % 2 ? ["nobody", "known"] : ["known", "nobody"]) {
        const email = kind === "known" ? await kinds.known() : await kinds.nobody();
        const start = performance.now();
        await (await ask(email)).text();
        times[kind]?.push(performance.now() - start);
      }
    const [nobody, known] = [median(times.nobody ?? []), median(times.known ?? [])];
    process.stdout.write(
      `${question}: nobody ${nobody.toFixed(1)} ms, known ${known.toFixed(1)} ms\n`,
    );
    // A skipped hash, which takes all but the whole of these answers, would be a tenth or less. A
    // busy machine may push one of the medians to the next step of answers.
    expect(known / nobody).toBeGreaterThan(0.4);
    expect(known / nobody).toBeLessThan(2.5);
  });

  test("the password is hashed for nobody's account as well", async () => {
    const context = await site.services.auth.$context;
    expect(context.password.hash).toBeTypeOf("function");
    const before = process.cpuUsage();
    for (let n = 0; n < 5; n += 1) await questions["signing in directly"]?.(newAddress());
    // scrypt fills a core for 50 ms or more on any machine of today, and nothing else here does.
    expect(process.cpuUsage(before).user / 1000).toBeGreaterThan(5 * 25);
  });
});
