import { keyedHash } from "~/platform/crypto/signed-token.ts";
import { compiledOnce } from "~/platform/db/compiled.ts";
import type { Services } from "~/platform/http/services.ts";

const name = "stripe.webhook-heard";
/** To the hour: a busy webhook need not write each time. */
const oftenMs = 3600_000;

const heardRow = compiledOnce((db, _: object) =>
  db.selectFrom("settings").select(["value", "createdAt"]).where("name", "=", name),
);

/** Which signing secret it was: that of another one says nothing about the present one. */
function secretMark({ config }: Pick<Services, "config">): string | null {
  const secret = config.stripe?.webhookSecret;
  if (!secret) return null;
  return keyedHash(config.authSecret, "webhook heard", secret).toString("hex").slice(0, 16);
}

/** Notes that Stripe's webhook came with a good signature. The events in `stripe_events` do not show
 * it: reconciliation reads the same ones from Stripe. */
export async function noteWebhookHeard(services: Services): Promise<void> {
  const value = secretMark(services);
  if (!value) return;
  const createdAt = services.clock.now();
  const [row] = await heardRow(services.db.read, {});
  const ageMs = row ? createdAt.getTime() - row.createdAt.getTime() : oftenMs;
  if (row?.value === value && ageMs < oftenMs) return;
  await services.db.unsynced((own) =>
    own
      .insertInto("settings")
      .values({ name, value, createdAt })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value, createdAt }))
      .execute(),
  );
}

/** When it last came, to the hour; null where it never did with the present signing secret. */
export async function findWebhookHeard(services: Services): Promise<Date | null> {
  const [row] = await heardRow(services.db.read, {});
  return row && row.value === secretMark(services) ? row.createdAt : null;
}
