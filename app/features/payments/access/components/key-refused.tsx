import { Notice } from "~/ui/notice.tsx";

/** Stripe does not take the key: what that means, and what has to be done. */
export function KeyRefused({ refused }: { refused: string[] }) {
  if (refused.length === 0) return null;
  return (
    <Notice tone="warning" title="Stripe refuses the key of this site" className="mb-8">
      <p>
        Until it is mended, nothing can be sold or refunded here, and what happens at Stripe is not
        noticed. Make a new key at Stripe, under Developers, set it as{" "}
        <code>STRIPE_SECRET_KEY</code>, and start the site again. A restricted key may not read now:{" "}
        {refused.join(", ")}.
      </p>
    </Notice>
  );
}
