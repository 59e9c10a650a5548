import { Notice } from "~/ui/notice.tsx";
import { reads } from "../messages.ts";

/** Says that Stripe rejects the key or some of its permissions, and what has to be done. */
export function KeyRefused({ refused }: { refused: string[] }) {
  if (refused.length === 0) return null;
  if (refused.length < reads.length)
    return (
      <Notice tone="warning" title="This site’s key may not read everything" className="mb-8">
        <p>
          This key may not read: {refused.join(", ")}. Until it may, not all that happens at Stripe
          is noticed here. Give the key these rights at Stripe, under Developers.
        </p>
      </Notice>
    );
  return (
    <Notice tone="warning" title="Stripe does not accept this site’s key" className="mb-8">
      <p>
        Until that is fixed, nothing can be sold or refunded here, and what happens at Stripe is not
        noticed. Make a new key at Stripe, under Developers, set it as{" "}
        <code>STRIPE_SECRET_KEY</code>, and start the site again.
      </p>
    </Notice>
  );
}

/** Says that nothing can be sold yet, and what has to be done. */
export function NotConfigured() {
  return (
    <Notice tone="info" title="Nothing can be paid here yet" className="mb-8">
      <p>
        Payments go through Stripe. Set <code>STRIPE_SECRET_KEY</code> and{" "}
        <code>STRIPE_WEBHOOK_SECRET</code> where this site has its settings, and start it again.
        Both are in your account at Stripe, under Developers: the API keys, and a webhook to{" "}
        <code>/api/webhooks/stripe</code> of this site. Until then you can enroll people by hand.
      </p>
    </Notice>
  );
}
