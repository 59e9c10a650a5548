import { describe, expect, test } from "vitest";
import { accountDeletedEmail } from "~/features/accounts/deletion.server.ts";
import { securityAlertEmail } from "~/features/auth/jobs.server.ts";
import { countFailedEmails, resendEmail } from "~/features/email-log/email-log.server.ts";
import { liftSuppression, suppressByHand } from "~/features/suppressions/suppressions.server.ts";
import { jobs } from "~/server/jobs.ts";
import { newAddress } from "../support/accounts.ts";
import { emailJob, outboxOfEachTest, plainEmail } from "../support/outbox.ts";

const kit = outboxOfEachTest();
const bulk = emailJob("test.bulk", { priority: "bulk" });
const suppress = (address: string) => suppressByHand(kit.services, { address, note: "" });

describe("an address that gets no email", () => {
  test("gets none, of whatever kind, without another attempt; lifted, it gets it again", async () => {
    const server = await kit.serve();
    const [gone, other] = [newAddress(), newAddress()];
    await suppress(` ${gone.toUpperCase()} `);
    const ids = [
      await kit.writePlain({ to: gone }),
      await kit.put(bulk, { to: gone.toUpperCase() }),
      await kit.writePlain({ to: other }),
    ];
    const [first = "", second = "", third = ""] = ids;
    kit.work([plainEmail, bulk]);
    await kit.finished(third);
    const failed = { failure: "suppressed", lastError: "manual", attempts: 1 };
    for (const id of [first, second])
      await kit.rowIs(id, { ...failed, failedAt: expect.any(Date), finishedAt: null });
    expect(server.messages.map(({ to }) => to)).toEqual([[other]]);
    // The list of the addresses says why: nothing waits for the coach.
    expect(await countFailedEmails(kit.services, 10)).toEqual({ refused: 0, others: 0 });

    await expect(resendEmail(kit.services, first)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("list of addresses that get no email"),
    });
    await liftSuppression(kit.services, gone);
    await resendEmail(kit.services, first);
    await kit.finished(first);
    expect(server.messages.map(({ to }) => to)).toEqual([[other], [gone]]);
  });

  test("still gets what is about the security of its account, and that it was deleted", async () => {
    const server = await kit.serve();
    const to = newAddress();
    await suppress(to);
    const link = await kit.write({ to });
    const alert = await kit.put(securityAlertEmail, {
      ...{ to: { name: "Ada", address: to }, change: "passkey-added" as const, name: null },
      ...{ at: kit.clock.now().toISOString(), timeZone: "UTC", left: null },
    });
    const deleted = await kit.put(accountDeletedEmail, { name: "Ada", email: to });
    kit.work();
    await kit.finished(link, alert, deleted);
    expect(server.messages).toHaveLength(3);
  });
});

test("jobs: the kinds that ignore suppressions are those of security and account deletion", () => {
  const kinds = jobs.filter((job) => job.ignoresSuppression).map(({ kind }) => kind);
  expect(kinds.sort()).toEqual([
    "accounts.address-changed",
    "accounts.address-new",
    "accounts.address-old",
    "accounts.address-taken",
    "accounts.already-registered",
    "accounts.deleted",
    "accounts.deletion-scheduled",
    "accounts.method-changed",
    "accounts.password-changed",
    "accounts.reset-password",
    "accounts.security-change",
    "accounts.verify-email",
  ]);
});
