import { open } from "node:fs/promises";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { newId } from "~/platform/db/ids.ts";
import { createPerson } from "../support/people.ts";
import { type StripeServer, startStripe } from "../support/stripe/server.ts";
import { type Figure, ms, noBar, perSecond } from "./figure.ts";
import { cpuSeconds, median, quantile } from "./measure.ts";
import { startSite } from "./server.ts";
import type { World } from "./world.ts";

const perMinute = 1000;
const barMs = 100;
const warmUp = 50;
const width = 8;

/**
 * Each webhook is of a payment of its own: Stripe is asked, the course opens, the receipt is
 * written and sent. First at a steady 1,000 a minute, then as fast as they are answered.
 */
export async function webhooks(world: World): Promise<Figure[]> {
  const stripe = await startStripe();
  const sessions = await checkouts(world, stripe, warmUp + 2 * perMinute);
  const site = await startSite(world.dataDir, "node", stripe.env);
  // The site's own first look at Stripe is over.
  while (!stripe.calls.some(({ path }) => path === "/v1/events")) await pause(20);
  const tell = async (sessionId: string) => {
    const start = performance.now();
    const { status } = await stripe.deliver(stripe.account.pay(sessionId), site.url);
    if (status !== 200) throw new Error(`a webhook was answered with ${status}`);
    return performance.now() - start;
  };
  for (const id of sessions.slice(0, warmUp)) await tell(id);

  const disk = watchDisk(world.dataDir);
  const steady = await timed(site.pid, () =>
    Promise.all(
      sessions.slice(warmUp, warmUp + perMinute).map(async (id, n) => {
        await pause((n * 60_000) / perMinute);
        return tell(id);
      }),
    ),
  );
  const synced = await disk.end();
  const rest = sessions.slice(warmUp + perMinute);
  const fast = await timed(site.pid, async () => {
    const took: number[] = [];
    const lane = async () => {
      for (let id = rest.pop(); id; id = rest.pop()) took.push(await tell(id));
    };
    await Promise.all(Array.from({ length: width }, lane));
    return took;
  });
  await site.stop();
  await stripe.close();
  const [p50, p99] = [median(steady.took), quantile(steady.took, 0.99)];
  const share = Math.round((100 * steady.cpu) / steady.seconds);
  return [
    {
      what: "1,000 webhooks a minute, each of a payment of its own: p99",
      measured: `${ms(p99)} (median ${ms(p50)}; ${share} % of one core; a bare fsync meanwhile: p99 ${ms(quantile(synced, 0.99))})`,
      bar: ms(barMs),
      met: p99 <= barMs,
    },
    noBar(
      `the same as fast as they are answered, ${width} in flight`,
      `${perSecond(fast.took.length / fast.cpu)} a core; p99 ${ms(quantile(fast.took, 0.99))}`,
    ),
  ];
}

/** What the disk alone takes at the same time: others may be at work on it. Four times a second. */
function watchDisk(folder: string) {
  const took: number[] = [];
  let over = false;
  const watched = (async () => {
    const file = await open(path.join(folder, "bare"), "w");
    while (!over) {
      const start = performance.now();
      await file.write("x".repeat(4096));
      await file.sync();
      took.push(performance.now() - start);
      await pause(250);
    }
    await file.close();
    return took;
  })();
  return {
    end: () => {
      over = true;
      return watched;
    },
  };
}

async function timed(pid: number, work: () => Promise<number[]>) {
  const [cpu, start] = [cpuSeconds(pid), performance.now()];
  const took = await work();
  return { took, cpu: cpuSeconds(pid) - cpu, seconds: (performance.now() - start) / 1000 };
}

/** So many people who are about to pay. */
async function checkouts({ services, course }: World, stripe: StripeServer, count: number) {
  const { db, clock } = services;
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const { id: userId } = await createPerson(services);
    const price_data = { currency: "usd", unit_amount: "19700", product_data: { name: "Bench" } };
    const session = stripe.account.createSession(
      {
        mode: "payment",
        line_items: [{ price_data, quantity: "1" }],
        success_url: "http://localhost",
      },
      stripe.url,
    );
    const now = clock.now();
    await db.write
      .insertInto("payments")
      .values({
        id: newId(),
        userId,
        productId: course.id,
        checkoutSessionId: session.id,
        status: "started",
        amountCents: 19700,
        currency: "usd",
        createdAt: now,
        updatedAt: now,
      })
      .execute();
    ids.push(session.id);
  }
  return ids;
}
