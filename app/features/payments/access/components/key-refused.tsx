import { Notice } from "~/ui/notice.tsx";
import { reads } from "../texts.ts";

/** Stripe does not take the key, or not for everything: what that means, and what has to be done. */
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
        Until that is mended, nothing can be sold or refunded here, and what happens at Stripe is
        not noticed. Make a new key at Stripe, under Developers, set it as{" "}
        <code>STRIPE_SECRET_KEY</code>, and start the site again.
      </p>
    </Notice>
  );
}
