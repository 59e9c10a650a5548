import { Agent, request } from "node:http";
import { performance } from "node:perf_hooks";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { confirmEmail } from "~/features/auth/email-verification.server.ts";
import { reauthenticate } from "~/features/auth/reauthentication.server.ts";
import { resetPassword, signUp, submitAuthForm } from "~/features/auth/sign-in.server.ts";
import { acceptInvitation } from "~/features/enrollments/accept-invitation.server.ts";
import { inviteStudent } from "~/features/enrollments/invitations.server.ts";
import {
  busyMessage,
  enterHashQueue,
  hashQueueSize,
  leaveHashQueue,
} from "~/platform/auth/hash-queue.ts";
import { signInLimits } from "~/platform/auth/sign-in-tries.ts";
import type { Services } from "~/platform/http/services.ts";
import { createAccount, goodPassword, newAddress } from "../../support/accounts.ts";
import { createCourse } from "../../support/courses.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { profilesWith } from "../../support/own-rows.ts";
import { createPerson } from "../../support/people.ts";
import { startServing } from "../../support/process.ts";
import { request as rawRequest, rawSocket } from "../../support/raw-socket.ts";
import { openTestServices } from "../../support/services.ts";

describe("while everybody signs in", () => {
  const opened = openForTests(openTestServices);
  let services: Services;
  const crowd = Array.from({ length: hashQueueSize }, () => ({}));
  let callers = 0;
  const caller = () => ({ address: `192.0.2.${++callers}`, cookie: null, userAgent: null });
  const password = "Another-horse-7";

  beforeAll(async () => {
    ({ services } = opened);
  });
  beforeEach(() => {
    for (const one of crowd) expect(enterHashQueue(one)).toBe(true);
  });
  afterEach(endCrowd);

  function endCrowd() {
    for (const one of crowd) leaveHashQueue(one);
  }
  /** Does something that needs a hash before the crowd comes. */
  async function beforehand<T>(work: () => Promise<T>): Promise<T> {
    endCrowd();
    const done = await work();
    for (const one of crowd) enterHashQueue(one);
    return done;
  }
  /** The token in the newest email that waits for someone. */
  async function tokenFor(to: { userId: string } | { kind: string }): Promise<string> {
    const [column, value] =
      "userId" in to ? ["userId" as const, to.userId] : ["kind" as const, to.kind];
    const { payload } = await services.db.read
      .selectFrom("outbox")
      .select("payload")
      .where(column, "=", value)
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    return /token(?:=|":")([^&"]+)/.exec(JSON.stringify(payload))?.[1] ?? "";
  }
  const direct = (path: string, body: object) =>
    services.auth.handler(
      new Request(`${services.config.appUrl}/api/auth${path}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: services.config.appUrl,
          "x-blue-dot-client-address": caller().address,
        },
        body: JSON.stringify(body),
      }),
    );

  test.each([
    ["/sign-in/email", { email: "ada@example.com", password }],
    ["/sign-up/email", { name: "Ada", email: "ada@example.com", password }],
    ["/reset-password", { token: "x", newPassword: password }],
  ])("POST /api/auth%s: says when to come again", async (path, body) => {
    const answer = await direct(path, body);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await answer.json()).toEqual({ code: "BUSY", message: busyMessage });
  });

  test("the form says so, and is no try that counts against the account", async () => {
    const account = await beforehand(() => createAccount(services));
    const fields = { email: account.email, password: account.password };
    const entry = { mode: "sign-in", fields, destination: "/courses" } as const;
    for (let n = 0; n < signInLimits.account.max; n += 1) {
      expect(await submitAuthForm(services, caller(), entry)).toMatchObject({
        toast: { title: "Sign in failed", description: busyMessage, tone: "destructive" },
        isBusy: true,
        refusedEmail: null,
      });
    }
    endCrowd();
    expect(await submitAuthForm(services, caller(), entry)).toMatchObject({ to: "/courses" });
  });

  test("the link of a new password stays good", async () => {
    const { id, email } = await beforehand(() => createAccount(services));
    await direct("/request-password-reset", { email });
    const token = await tokenFor({ userId: id });
    const refused = await resetPassword(services, caller(), { token, password });
    expect(refused).toEqual({ ok: false, problem: busyMessage, reason: "busy" });
    endCrowd();
    expect(await resetPassword(services, caller(), { token, password })).toMatchObject({
      ok: true,
    });
  });

  test("the password that confirms an address is asked for again, and costs no try", async () => {
    const email = newAddress();
    const made = { name: "Ada", email, password, destination: "/" };
    await beforehand(() => signUp(services, caller(), made));
    const [profile] = await profilesWith(services, email);
    const shown = { token: await tokenFor({ userId: profile?.id ?? "" }), password };
    for (let n = 0; n < 11; n += 1)
      expect(await confirmEmail(services, caller(), shown)).toEqual({
        ok: false,
        problem: busyMessage,
        reason: "busy",
      });
    endCrowd();
    expect(await confirmEmail(services, caller(), shown)).toMatchObject({ ok: true });
  });

  test("reauthentication says so, and is no try that counts", async () => {
    const { id } = await beforehand(() => createAccount(services));
    const shown = { userId: id, sessionId: "none", fields: { password: goodPassword } };
    for (let n = 0; n < 11; n += 1)
      expect(await reauthenticate(services, shown)).toEqual({
        field: "password",
        message: busyMessage,
      });
    endCrowd();
    expect(await reauthenticate(services, shown)).toBeNull();
  });

  test("an invitation stays open", async () => {
    const course = await createCourse(services, [[{}]]);
    const invitedBy = (await createPerson(services, { role: "admin" })).id;
    const email = newAddress();
    await inviteStudent(services, { email, name: null, productId: course.id, invitedBy });
    const token = await tokenFor({ kind: "enrollments.invitation" });
    const asked = { token, viewer: null, fields: { name: "Ada", password } };
    expect(await acceptInvitation(services, caller(), asked)).toMatchObject({
      problem: { message: busyMessage, code: "unavailable" },
    });
    endCrowd();
    expect(await acceptInvitation(services, caller(), asked)).toMatchObject({
      done: { isSignedIn: true },
    });
  });
});

describe("120 sign-ins at once from 120 networks", { timeout: 120_000 }, () => {
  let site: Awaited<ReturnType<typeof startServing>>;
  beforeAll(async () => {
    site = await startServing({ TRUSTED_PROXIES: "1" });
    // The first of anything is compiled while it runs.
    await Promise.all([signIn(0), signIn(1), signIn(2)]);
  });
  afterAll(() => site.kill("SIGTERM"));

  const answerWithinMs = 10_000;
  type Answer = { status: number; retryAfter: string | undefined; at: number };
  let networks = 0;
  function ask(path: string, body?: string, agent = new Agent()): Promise<Answer> {
    // A quick machine asks /healthz more often than there are addresses in 10.1.0.0/16.
    if (path !== "/healthz") networks += 1;
    const headers = {
      origin: site.url,
      "content-type": "application/json",
      "x-forwarded-for": `10.1.${networks >> 8}.${networks & 255}`,
    };
    return new Promise((resolve, reject) => {
      const asked = request(
        site.url + path,
        { agent, method: body ? "POST" : "GET", headers },
        (response) => {
          const { statusCode: status = 0, headers } = response;
          response.resume();
          response.once("end", () =>
            resolve({ status, retryAfter: headers["retry-after"], at: performance.now() }),
          );
        },
      );
      asked.once("error", reject);
      asked.end(body);
    });
  }
  const signIn = (n: number) =>
    ask(
      "/api/auth/sign-in/email",
      JSON.stringify({ email: `nobody-${n}@example.com`, password: "Wrong-horse-9" }),
    );

  /**
   * 120 requests at once, and the slowest answer of /healthz until the last of them is answered: on
   * a connection that is there, as a proxy asks.
   */
  async function during(asking: (n: number) => Promise<Answer>) {
    const agent = new Agent({ keepAlive: true });
    await ask("/healthz", undefined, agent);
    let isOver = false;
    const healthy = (async () => {
      let slowest = 0;
      while (!isOver) {
        const asked = performance.now();
        slowest = Math.max(slowest, (await ask("/healthz", undefined, agent)).at - asked);
      }
      return slowest;
    })();
    const answers = await Promise.all(Array.from({ length: 120 }, (_, n) => asking(n)));
    isOver = true;
    const slowest = await healthy;
    agent.destroy();
    return { answers, slowest };
  }

  test("so many wait for their hash, the others hear at once when to come again", async () => {
    const calm: number[] = [];
    for (let n = 0; n < 3; n += 1) calm.push((await during(() => ask("/api/session"))).slowest);
    const [, usual = 0] = calm.toSorted((a, b) => a - b);
    const crowds: { refusedMs: number; hashedMs: number; healthzMs: number }[] = [];
    // Who reached the limit of every request is still hashed, and may hold a place of the next crowd.
    let stillHashed = 0;
    for (let crowd = 0; crowd < 3; crowd += 1) {
      const start = performance.now();
      const { answers, slowest } = await during((n) => signIn(120 * crowd + n));
      const of = (status: number) => answers.filter((answer) => answer.status === status);
      const isLate = ({ at }: Answer) => at - start >= answerWithinMs;
      // On a machine with much other work, some reach the limit of every request in the queue.
      const late = of(503).filter(isLate);
      const hashed = [...of(401), ...late];
      const refused = of(503).filter((answer) => !isLate(answer));
      expect(hashed.length + refused.length).toBe(120);
      // Some places are free again before the last request comes.
      expect(hashed.length + stillHashed).toBeGreaterThanOrEqual(hashQueueSize);
      stillHashed = late.length;
      expect(hashed.length).toBeLessThan(2 * hashQueueSize);
      for (const { retryAfter } of refused) expect(retryAfter).toBe("5");
      const last = (list: Answer[]) => Math.max(...list.map(({ at }) => at)) - start;
      crowds.push({ refusedMs: last(refused), hashedMs: last(hashed), healthzMs: slowest });
    }
    // The quickest of three: a machine with other work is slow now and then, a fault is each time.
    const quickest = (of: (crowd: (typeof crowds)[number]) => number) =>
      Math.min(...crowds.map(of));
    expect(quickest(({ refusedMs, hashedMs }) => refusedMs / hashedMs)).toBeLessThan(0.5);
    // When all of them wrote their counts to the disk in one step, it was 6 to 23 times as long.
    expect(quickest(({ healthzMs }) => healthzMs) / usual).toBeLessThan(6);
  });

  test("who sends them slowly keeps no place", async () => {
    const host = new URL(site.url).host;
    const begun = Array.from({ length: hashQueueSize + 8 }, (_, n) => {
      const headers = {
        Host: host,
        Origin: site.url,
        "Content-Type": "application/json",
        "Content-Length": "1000",
        "X-Forwarded-For": `10.2.0.${n}`,
      };
      const bytes = rawRequest("POST /api/auth/sign-in/email HTTP/1.1", headers, '{"email":');
      return rawSocket(site.url, bytes, { toTheEnd: true, patienceMs: 3000 });
    });
    for (let n = 0; n < 3; n += 1) expect((await signIn(n)).status).toBe(401);
    await Promise.all(begun);
  });
});
