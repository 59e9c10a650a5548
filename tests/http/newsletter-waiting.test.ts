import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmSubscriptionEmail } from "~/features/newsletter/subscribers.server.ts";
import { enqueue } from "~/platform/jobs/outbox.ts";
import { newAddress } from "../support/accounts.ts";
import { lettersTo, letterTo } from "../support/mailbox.ts";
import {
  confirmPath,
  settled,
  signUp,
  subscriber,
  unsubscribePath,
} from "../support/newsletter.ts";
import { startSite, type TestSite } from "../support/site.ts";

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** A letter of now that finds no mail server for a while. @returns how it goes out at last */
async function heldUp(email: string) {
  const { id = "", generation = 0 } = (await subscriber(site, email)) ?? {};
  const { db, clock } = site.services;
  return async () => {
    const payload = { subscriberId: id, generation };
    await enqueue(db.write, confirmSubscriptionEmail, payload, { now: clock.now() });
    await settled(site);
  };
}

test("a letter that was held up is not sent to whoever has confirmed with another one", async () => {
  const email = newAddress();
  await signUp(site, { email });
  await settled(site);
  const goesOut = await heldUp(email);
  await site.ask(confirmPath(await letterTo(site.services.config, email)), { form: {} });
  await settled(site);
  await goesOut();
  expect(lettersTo(site.services.config, email).map(({ subject }) => subject)).toEqual([
    "Please confirm: a letter once a week",
    "You are on the list",
  ]);
});

test("nor to whoever has unsubscribed since, also if she waits for a new one", async () => {
  const email = newAddress();
  await signUp(site, { email });
  await settled(site);
  const goesOut = await heldUp(email);
  const leave = unsubscribePath(await letterTo(site.services.config, email));
  await site.ask(leave, { form: {} });
  await goesOut();
  await signUp(site, { email });
  await settled(site);
  await goesOut();
  expect(lettersTo(site.services.config, email)).toHaveLength(1);
  site.clock.forward(10 * 60_000 + 1000);
  await settled(site);
  expect(lettersTo(site.services.config, email)).toHaveLength(2);
});
