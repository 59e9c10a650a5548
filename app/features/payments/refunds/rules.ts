import { refundTerms } from "~/features/enrollments/texts.ts";

const dayMs = 24 * 3600 * 1000;

export type Studied = {
  /** When the course was paid for. */
  paidAt: Date;
  /** When each of its lessons was marked complete, in any order: only lessons that still are in the course. */
  completedAt: readonly Date[];
  /** All lessons of the course as it is now. */
  lessons: number;
};

/** How a payment stands by the terms' rule. */
export type RefundStanding = {
  refundable: boolean;
  /** The last moment at which the days alone allow it. */
  until: Date;
  completed: number;
  lessons: number;
  /** What put an end to it first; null while it is refundable. */
  endedBy: "days" | "lessons" | null;
};

/**
 * The refund rule of spec 9, Terms, in the words of /terms: refundable while it is no more than
 * 14 days since she bought the course and no more than 25% of its lessons are completed. Both
 * ends belong to it: exactly 14 days (14 × 24 hours, whatever the calendar and the clocks do) and
 * exactly a quarter are still refundable. A lesson counts when it was marked complete, also in an
 * earlier enrollment; a course without lessons ends by its days alone.
 */
export function refundStanding({ paidAt, completedAt, lessons }: Studied, now: Date) {
  const until = new Date(paidAt.getTime() + refundTerms.days * dayMs);
  const completed = completedAt.length;
  // Whole numbers on both sides: a quarter of the lessons is exact.
  const isTooMuch = completed * 100 > lessons * refundTerms.percent;
  const isTooLate = now > until;
  const standing: RefundStanding = {
    refundable: !isTooLate && !isTooMuch,
    until,
    completed,
    lessons,
    endedBy: null,
  };
  if (isTooMuch) {
    const passed = quarterPassedAt(completedAt, lessons);
    standing.endedBy = passed <= until ? "lessons" : "days";
  } else if (isTooLate) standing.endedBy = "days";
  return standing;
}

/** When the lesson was completed that is one more than the terms allow; there is such a one. */
function quarterPassedAt(completedAt: readonly Date[], lessons: number): Date {
  const inOrder = completedAt.toSorted((a, b) => a.getTime() - b.getTime());
  const allowed = Math.floor((lessons * refundTerms.percent) / 100);
  return inOrder[allowed] ?? new Date(0);
}

/** '2 of 8 lessons completed'. */
export function completedInWords({
  completed,
  lessons,
}: Pick<RefundStanding, "completed" | "lessons">): string {
  return `${completed} of ${lessons} ${lessons === 1 ? "lesson" : "lessons"} completed`;
}

/**
 * What a student reads beside her course while she can have her money back.
 * @param until in her time zone
 * @param email whom she asks for it
 */
export function refundNoteWords(
  standing: Pick<RefundStanding, "completed" | "lessons">,
  { money, until, email }: Record<"money" | "until" | "email", string>,
): string {
  const share = `no more than ${refundTerms.percent}% of the lessons`;
  return `You can have your ${money} back until ${until}, as long as you have completed ${share}. So far: ${completedInWords(standing)}. To ask for it, write to ${email}.`;
}
