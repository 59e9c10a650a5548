import type { ComponentProps, ReactNode } from "react";
import { formatPrice } from "~/features/courses/rules.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { enrollLabels } from "../messages.ts";

type EnrollButtonProps = {
  slug: string;
  isEnrolled: boolean;
  /** What the button that sells says: 'Enroll Now', with or without a price. */
  label: string;
  /** Stands here instead, while the course is not sold. */
  instead?: ReactNode;
};

/** The one button of a course page. Enrolled, it is the way to the lessons. Else it posts to the
 * page, whose action says what follows; site.ts makes it say 'Processing...' on the way. */
export function EnrollButton({ slug, isEnrolled, label, instead = null }: EnrollButtonProps) {
  const page = `/courses/${slug}`;
  if (isEnrolled)
    return (
      <ButtonLink href={`${page}/learn`} size="xl" variant="hero">
        {enrollLabels.goOn}
      </ButtonLink>
    );
  if (instead) return instead;
  return (
    <form method="post" action={page} data-busy-form className="contents">
      <Button type="submit" size="xl" variant="hero" busyLabel={enrollLabels.processing}>
        {label}
      </Button>
    </form>
  );
}

type EnrollOfferProps = ComponentProps<typeof EnrollButton> & {
  /** In US cents; 0 is free, null says nothing of a price. */
  priceCents: number | null;
  /** For an enrolled student: what they paid, and whether it can be refunded. */
  refundNote?: string | null;
};

/** The button with what a buyer must know beside it: the price, once, and when it is given back.
 * For a free course it only says that it is free. */
export function EnrollOffer({ priceCents, refundNote = null, ...button }: EnrollOfferProps) {
  const { isEnrolled, instead } = button;
  const isFree = priceCents === 0;
  const rule = isFree ? null : enrollLabels.refund;
  const remark = isEnrolled ? refundNote : instead ? enrollLabels.notYet : rule;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-7 gap-y-5">
        <EnrollButton {...button} />
        {isEnrolled && <p className="text-ink-soft">{enrollLabels.enrolled}</p>}
        {!isEnrolled && priceCents !== null && (
          <p className="grid">
            <span className="font-serif text-2xl tabular-nums">{formatPrice(priceCents)}</span>{" "}
            {!isFree && <span className="text-sm text-ink-soft">{enrollLabels.oneTime}</span>}
          </p>
        )}
      </div>
      {remark && <p className="mt-6 max-w-[28rem] text-sm text-balance text-ink-soft">{remark}</p>}
    </div>
  );
}

type ClosingOfferProps = ComponentProps<typeof EnrollButton> & {
  title: ReactNode;
  /** Said to somebody who can enroll. */
  words: string;
  /** Opens the sentence for editing. */
  pencil?: ReactNode;
};

/** The button once more, at the end of the page. */
export function ClosingOffer({ title, words, pencil, ...button }: ClosingOfferProps) {
  const { isEnrolled, instead } = button;
  const remark = isEnrolled ? "Your place is kept." : instead ? enrollLabels.notYet : words;
  return (
    <section
      aria-labelledby="closing-title"
      className="grid justify-items-center border-t border-line py-section-lg text-center"
    >
      <h2 id="closing-title">{title}</h2>
      <p className="mt-4 mb-9 max-w-[30rem] text-lg text-balance text-ink-soft">
        {remark}
        {pencil}
      </p>
      <EnrollButton {...button} />
    </section>
  );
}
