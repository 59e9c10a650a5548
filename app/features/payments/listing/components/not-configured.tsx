import { Notice } from "~/ui/notice.tsx";

/** Nothing can be sold yet, and what has to be done for it. */
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
