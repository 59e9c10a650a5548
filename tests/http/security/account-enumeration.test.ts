import { describe, expect, test } from "vitest";
import { signInLimits } from "~/platform/auth/sign-in-tries.ts";
import { withinLimit } from "~/platform/db/rate-limit.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { emailTo } from "../../support/mailbox.ts";
import { changeOwn } from "../../support/own-rows.ts";
import { readable } from "../../support/responses.ts";
import { siteOfFile } from "../../support/site.ts";
import { type Visitor, visitor } from "../../support/visitor.ts";

const site = siteOfFile();

/** Addresses of every kind that a stranger may ask about. */
const kinds = {
  nobody: async () => newAddress(),
  known: async () => (await createAccount(site.services)).email,
  administrator: async () => (await createAccount(site.services, { role: "admin" })).email,
  unconfirmed: async () => {
    const email = newAddress();
    const form = { name: "Ada", email, password: goodPassword };
    await visitor(site).ask("/auth?mode=sign-up", { form });
    await emailTo(site.services.config, email);
    return email;
  },
  "from a provider": async () => {
    const { id, email } = await createAccount(site.services);
    await changeOwn(site.services, "accounts", id, {
      providerId: "lantern",
      accountId: email,
      password: null,
    });
    return email;
  },
  suspended: async () => {
    const { id, email } = await createAccount(site.services);
    const profiles = site.services.db.write.updateTable("profiles");
    await profiles.set({ suspendedAt: new Date() }).where("id", "=", id).execute();
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
  "the email again": form("/auth", (email) => ({ intent: "resend", email })),
  "the email again, directly": json("/send-verification-email", (email) => ({ email })),
  "the newsletter": form("/newsletter", (email) => ({ firstName: "Ada", email })),
  "an invitation that is none": form("/invitation?token=x", (email) => ({
    email,
    password: wrong,
  })),
};

/** What an answer tells, without what always differs: times, ids, nonces, the address itself. */
async function told(answer: Response, email: string) {
  const headers = [...answer.headers].filter(
    ([name]) => !/^(date|content-length|etag)$/.test(name),
  );
  const text = JSON.stringify([answer.status, headers, readable(await answer.text())]);
  return (
    text
      .replaceAll(email, "ADDRESS")
      .replaceAll(encodeURIComponent(email), "ADDRESS")
      .replaceAll(/nonce-[\w-]+/g, "NONCE")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
      // What this cookie says is encrypted anew each time; how long it is may tell something.
      .replaceAll(/blue-dot\.maker=([\w.-]+)/g, (_, value) => `MAKER OF ${value.length}`)
  );
}

const visited = ["nobody", "known", "unconfirmed"] as const;
type Visit = (email: string, who: Visitor) => Promise<Response[]>;
const signUpForm = (email: string) => ({ name: "Ada", email, password: goodPassword });
const signUp = (email: string, who: Visitor) =>
  who.ask("/auth?mode=sign-up", { form: signUpForm(email) });
const signUpDirectly = (email: string, who: Visitor, more: object = {}) =>
  who.ask("/api/auth/sign-up/email", { json: { ...signUpForm(email), ...more } });
const signInDirectly = (email: string, who: Visitor) =>
  who.ask("/api/auth/sign-in/email", { json: { email, password: goodPassword } });

/** What someone does with one address, in one browser unless it says another. */
const visits: Record<string, Visit> = {
  "signing up twice": async (email, who) => [await signUp(email, who), await signUp(email, who)],
  "signing up twice directly": async (email, who) => [
    await signUpDirectly(email, who),
    await signUpDirectly(email, who),
  ],
  "signing up, and signing in with that password": async (email, who) => {
    // An account of the test has the same password as the one that is made here.
    const password = "Another-horse-7";
    return [
      await who.ask("/auth?mode=sign-up", { form: { ...signUpForm(email), password } }),
      await who.ask("/auth", { form: { email, password } }),
      await who.ask("/api/auth/sign-in/email", { json: { email, password } }),
      await visitor(site).ask("/api/auth/sign-in/email", { json: { email, password } }),
    ];
  },
  "signing up twice at one moment": (email, who) =>
    Promise.all([signUpDirectly(email, who), signUpDirectly(email, visitor(site))]),
  "signing up twice at one moment with the form": (email, who) =>
    Promise.all([signUp(email, who), signUp(email, visitor(site))]),
  "signing up with a picture": async (email, who) => [
    await signUpDirectly(email, who, { image: "https://example.com/me.png" }),
  ],
  "signing up with a name that no database keeps as it is": async (email, who) => [
    await signUpDirectly(email, who, { name: " Ada\ud800 " }),
  ],
  "signing up with an address in capitals": async (email, who) => [
    await signUpDirectly(email.toUpperCase(), who),
  ],
  "signing up, and asking for the email again": async (email, who) => [
    await signUp(email, who),
    await who.ask("/auth", { form: { intent: "resend", email } }),
  ],
};

/** The cookies that two answers of one visit both set, and which parts of them are the same. */
function cookiesCompared(answers: Response[]): string[] {
  const [first = [], second = []] = answers.map((answer) => answer.headers.getSetCookie());
  return first.flatMap((line) => {
    const [name = "", value = ""] = (line.split(";")[0] ?? "").split("=");
    const other = second.find((one) => one.startsWith(`${name}=`));
    if (!other) return [];
    const others = (other.split(";")[0] ?? "").slice(name.length + 1).split(".");
    return value.split(".").map((part, n) => `${name}: ${part === others[n] ? "same" : "new"}`);
  });
}

describe("who has an account is not told, by one answer after another", () => {
  test.each(Object.entries(visits))("%s", { timeout: 60_000 }, async (_, visit) => {
    const seen: Record<string, unknown> = {};
    for (const kind of visited) {
      const email = await kinds[kind]();
      const answers = await visit(email, visitor(site));
      const texts: string[] = [];
      for (const answer of answers) texts.push(await told(answer, email));
      seen[kind] = [texts, cookiesCompared(answers)];
    }
    for (const kind of visited) expect([kind, seen[kind]]).toEqual([kind, seen.nobody]);
  });
});

describe("who has an account is not told", () => {
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

/** Medians of what `measure` takes in milliseconds for an address without and with an account. */
async function timesOf(rounds: number, measure: (email: string) => Promise<number>) {
  const times: Record<"nobody" | "known", number[]> = { nobody: [], known: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of round % 2 ? (["nobody", "known"] as const) : (["known", "nobody"] as const))
      times[kind].push(await measure(await kinds[kind]()));
  return { nobody: median(times.nobody), known: median(times.known) };
}

async function timeOf(ask: () => Promise<Response>): Promise<number> {
  const start = performance.now();
  await (await ask()).text();
  return performance.now() - start;
}

describe("nor does the time of an answer tell", { timeout: 120_000 }, () => {
  test("signing in with the password of a sign-up before", async () => {
    const { nobody, known } = await timesOf(6, async (email) => {
      const who = visitor(site);
      await signUpDirectly(email, who, { password: wrong });
      return timeOf(() => who.ask("/api/auth/sign-in/email", { json: { email, password: wrong } }));
    });
    expect(known / nobody).toBeGreaterThan(0.4);
    expect(known / nobody).toBeLessThan(2.5);
  });

  test("the try after the last one, of which the owner of an account hears", async () => {
    const { account } = signInLimits;
    const { nobody, known } = await timesOf(6, async (email) => {
      for (let n = 0; n < account.max; n += 1)
        await withinLimit(site.services, { ...account, whose: email });
      return timeOf(() => signInDirectly(email, visitor(site)));
    });
    process.stdout.write(`the try after the last: ${nobody.toFixed(1)}, ${known.toFixed(1)} ms\n`);
    expect(known / nobody).toBeGreaterThan(0.4);
    expect(known / nobody).toBeLessThan(2.5);
  });

  const timed = [
    "signing in directly",
    "signing up directly",
    "a forgotten password, directly",
    "the email again, directly",
  ];
  test.each(timed)("%s", async (question) => {
    const ask = questions[question];
    if (!ask) throw new Error(question);
    const { nobody, known } = await timesOf(9, (email) => timeOf(() => ask(email)));
    process.stdout.write(
      `${question}: nobody ${nobody.toFixed(1)} ms, known ${known.toFixed(1)} ms\n`,
    );
    // A skipped hash, which takes all but the whole of these answers, would be a tenth or less. A
    // busy machine may push one of the medians to the next step of answers.
    expect(known / nobody).toBeGreaterThan(0.4);
    expect(known / nobody).toBeLessThan(2.5);
  });

  test("the password is hashed for an unknown address as well", async () => {
    const context = await site.services.auth.$context;
    expect(context.password.hash).toBeTypeOf("function");
    const before = process.cpuUsage();
    for (let n = 0; n < 5; n += 1) await questions["signing in directly"]?.(newAddress());
    // scrypt fills a core for 50 ms or more on any machine of today, and nothing else here does.
    expect(process.cpuUsage(before).user / 1000).toBeGreaterThan(5 * 25);
  });
});
