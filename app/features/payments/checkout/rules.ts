const hourMs = 3600_000;

/** How long a checkout can be paid. Stripe ends one after 24 hours at most; its clock may be behind. */
export const openMs = 23 * hourMs;

/** A checkout younger than this is taken up again by whoever presses once more. */
const freshMs = 12 * hourMs;

type Begun = { amountCents: number; createdAt: Date };

/** Whether a checkout that was begun before still asks for this price, and will for a good while. */
export function isFresh(begun: Begun, { priceCents, now }: { priceCents: number; now: Date }) {
  const age = now.getTime() - begun.createdAt.getTime();
  return begun.amountCents === priceCents && age < freshMs;
}
