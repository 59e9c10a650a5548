import type { ComponentProps } from "react";
import { formatPrice } from "~/features/courses/rules.ts";
import { labels } from "../texts.ts";
import { EnrollButton } from "./enroll-button.tsx";

type EnrollOfferProps = ComponentProps<typeof EnrollButton> & {
  /** In US cents; 0 is free, null says nothing of a price. */
  priceCents: number | null;
  /** What whoever is enrolled is told of what she paid. */
  refundNote?: string | null;
};

/**
 * The button with what a buyer must know beside it: the price, once, and when it is given back.
 * Beside a free course there is nothing of money but that it is free.
 */
export function EnrollOffer({ priceCents, refundNote = null, ...button }: EnrollOfferProps) {
  const { isEnrolled, instead } = button;
  const isFree = priceCents === 0;
  const rule = isFree ? null : labels.refund;
  const remark = isEnrolled ? refundNote : instead ? labels.notYet : rule;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-7 gap-y-5">
        <EnrollButton {...button} />
        {isEnrolled && <p className="text-ink-soft">{labels.enrolled}</p>}
        {!isEnrolled && priceCents !== null && (
          <p className="grid">
            <span className="font-serif text-2xl tabular-nums">{formatPrice(priceCents)}</span>{" "}
            {!isFree && <span className="text-sm text-ink-soft">{labels.oneTime}</span>}
          </p>
        )}
      </div>
      {remark && <p className="mt-6 max-w-[28rem] text-sm text-balance text-ink-soft">{remark}</p>}
    </div>
  );
}
