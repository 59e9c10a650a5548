import { describe, expect, test } from "vitest";
import { openMailer } from "~/platform/email/open.ts";
import { jobs } from "~/server/jobs.ts";
import { site } from "~content/site.ts";
import { outboxOfEachTest, plainLetter, until } from "../support/outbox.ts";
import { startMailServer } from "../support/smtp.ts";

const kit = outboxOfEachTest();

describe("a mail server that is away", () => {
  test("costs no letter an attempt, is shown, and is asked again until it is back", async () => {
    const ids = await kit.writeSome(40);
    const worker = kit.work();
    await until(async () => expect(await kit.outage()).toMatchObject({ since: expect.any(Date) }));
    const since = (await kit.outage())?.since;
    // Two weeks, in which it is asked again and again.
    for (let day = 0; day < 13; day += 1) {
      const before = (await kit.outage())?.lastSeen.getTime() ?? 0;
      kit.clock.forwardDays(1);
      worker.wake();
      await until(async () => {
        const { lastSeen } = (await kit.outage()) ?? {};
        expect(lastSeen?.getTime()).toBeGreaterThan(before);
      });
    }
    for (const id of ids)
      await until(async () =>
        expect(await kit.row(id)).toMatchObject({ attempts: 0, failedAt: null, leaseOwner: null }),
      );
    expect(since).toBeInstanceOf(Date);
    const server = await kit.serve();
    kit.clock.forward(61_000);
    worker.wake();
    for (const id of ids) await kit.finished(id);
    expect(server.ids().sort()).toEqual(ids.sort());
    expect(await kit.outage()).toBeNull();
  });

  test("for longer than letters make sense: they are given up, and kept", async () => {
    const id = await kit.write();
    kit.work();
    await until(async () => expect(await kit.outage()).not.toBeNull());
    kit.clock.forwardDays(15);
    await until(async () =>
      expect(await kit.row(id)).toMatchObject({
        failedAt: expect.any(Date),
        failure: "exhausted",
        lastError: expect.stringContaining("ECONNREFUSED"),
      }),
    );
  });

  test("for longer than a link lives: that letter is not sent, others are", async () => {
    const inAnHour = new Date(kit.clock.now().getTime() + 3600_000);
    const dead = await kit.write({ worksUntil: inAnHour });
    const alive = await kit.write();
    const worker = kit.work();
    await until(async () => expect(await kit.outage()).not.toBeNull());
    const server = await kit.serve();
    kit.clock.forwardDays(1);
    worker.wake();
    await kit.finished(alive);
    await until(async () =>
      expect(await kit.row(dead)).toMatchObject({ failure: "expired", attempts: 1 }),
    );
    expect(server.ids()).toEqual([alive]);
  });

  test("because our password is wrong: no letter fails for that", async () => {
    const server = await startMailServer(kit.port, { password: "right" });
    const config = { ...kit.services.config, mailFrom: "hello@grief.example" };
    const open = (password: string) =>
      openMailer(
        { ...config, smtpUrl: `smtp://coach:${password}@127.0.0.1:${kit.port}` },
        site.email,
      );
    const [wrong, right] = [open("wrong"), open("right")];
    kit.services.mail.close();
    kit.services.mail = wrong;
    const id = await kit.write();
    kit.work();
    await until(async () =>
      expect(await kit.outage()).toMatchObject({ words: expect.stringContaining("535") }),
    );
    expect(await kit.row(id)).toMatchObject({ attempts: 0, failedAt: null });
    kit.services.mail = right;
    kit.clock.forward(61_000);
    await kit.finished(id);
    wrong.close();
    right.close();
    await server.close();
  });

  test("because it does not take our address: no letter fails for that", async () => {
    const server = await kit.serve();
    const refusal = server.always({ at: "mail", answer: 550, text: "5.7.1 sender not allowed" });
    const ids = await kit.writeSome(12);
    kit.work();
    await until(async () =>
      expect(await kit.outage()).toMatchObject({ words: expect.stringContaining("not allowed") }),
    );
    // None is still under way that would be refused after the jump.
    for (const id of ids)
      await until(async () => expect((await kit.row(id)).leaseOwner).toBeNull());
    refusal.lift();
    kit.clock.forward(61_000);
    for (const id of ids) await kit.finished(id);
    expect(server.ids().sort()).toEqual(ids.sort());
  });
});

describe("a letter", () => {
  const faults = [
    ["the connection is cut at the greeting", { at: "connect", drop: true }],
    ["the connection is cut at the receiver", { at: "rcpt", drop: true }],
    ["the connection is cut in the middle of it", { at: "middle of data", drop: true }],
    ["the server wants it later (greylisting)", { at: "rcpt", answer: 451 }],
    ["the server is too busy", { at: "after data", answer: 452 }],
    ["the server shuts down", { at: "after data", answer: 421 }],
  ] as const;
  test.each(faults)("is sent once, later, when %s", async (_, fault) => {
    const server = await kit.serve();
    server.next(fault);
    const ids = await kit.writeSome(3);
    const worker = kit.work();
    await until(() => expect(server.letters.length).toBeGreaterThanOrEqual(2));
    await until(async () => {
      kit.clock.forward(11_000);
      worker.wake();
      for (const id of ids) expect((await kit.row(id)).finishedAt).not.toBeNull();
    });
    expect(server.ids().sort()).toEqual(ids.sort());
  });

  test("whose connection is cut before the answer is sent again, under the same Message-ID", async () => {
    const server = await kit.serve();
    server.next({ at: "after data", drop: true });
    const id = await kit.write();
    const worker = kit.work();
    await until(async () =>
      expect(await kit.row(id)).toMatchObject({ leaseOwner: null, attempts: 1 }),
    );
    kit.clock.forward(11_000);
    worker.wake();
    await kit.finished(id);
    expect(server.ids()).toEqual([id, id]);
  });

  test.each([
    ["receiver", { at: "rcpt", answer: 550, text: "5.1.1 no such person" }],
    ["words", { at: "after data", answer: 554, text: "5.6.0 not these words" }],
  ] as const)(
    "whose %s is refused has failed, with the server's words; others go out",
    async (_, fault) => {
      const server = await kit.serve();
      const no = "nobody@refused.example";
      server.always(fault, (to) => to === no);
      const refused = await kit.write({ to: no });
      const others = await kit.writeSome(3);
      kit.work();
      await until(async () =>
        expect(await kit.row(refused)).toMatchObject({
          failure: "refused",
          attempts: 1,
          lastError: expect.stringContaining(fault.text),
        }),
      );
      for (const id of others) await kit.finished(id);
      expect(await kit.outage()).toBeNull();
    },
  );

  test("that hangs holds up its own place alone", async () => {
    const server = await kit.serve();
    server.always({ at: "rcpt", hang: true }, (to) => to === "slow@hangs.example");
    const hanging = await kit.writePlain({ to: "slow@hangs.example" });
    kit.work([plainLetter], { stopLimit: 50 });
    await server.hanging();
    const others: string[] = [];
    for (let n = 0; n < 50; n += 1) others.push(await kit.writePlain());
    for (const id of others) await kit.finished(id);
    expect(await kit.row(hanging)).toMatchObject({ finishedAt: null, failedAt: null });
    expect(server.ids().sort()).toEqual(others.sort());
  });

  test("that somebody waits for does not stand behind a thousand others", async () => {
    const server = await kit.serve();
    for (let n = 0; n < 1000; n += 1) await kit.writePlain();
    const id = await kit.write();
    kit.work([plainLetter, ...jobs]);
    await kit.finished(id);
    expect(server.ids().indexOf(id)).toBeLessThan(500);
  });

  test("goes out when it is due, and not before", async () => {
    const server = await kit.serve();
    const dueAt = new Date(kit.clock.now().getTime() + 7 * 24 * 3600_000);
    const id = await kit.write({ dueAt });
    const worker = kit.work();
    kit.clock.forward(7 * 24 * 3600_000 - 60_000);
    const marker = await kit.write();
    worker.wake();
    await kit.finished(marker);
    expect(await kit.row(id)).toMatchObject({ attempts: 0, finishedAt: null });
    kit.clock.forward(60_000);
    await kit.finished(id);
    const sent = (await kit.row(id)).finishedAt?.getTime() ?? 0;
    expect(sent).toBeGreaterThanOrEqual(dueAt.getTime());
    expect(server.ids()).toEqual([marker, id]);
  });
});
