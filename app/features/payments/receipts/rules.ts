/**
 * What a receipt says of the course: this payment holds her place; she is in without it, or was when
 * it came; it held her place, which has ended since; it never opened the course.
 */
export type Access = "open" | "without" | "ended" | "closed";

type Facts = {
  status: string;
  bookingReason: string | null;
  /** She is in the course now, by whichever way. */
  isEnrolled: boolean;
  /** Her place is held by this payment now; was, and has ended since. */
  holdsSeat: boolean;
  heldSeat: boolean;
};

/** What is true of the course when the receipt is written. */
export function accessOf({ status, bookingReason, ...seat }: Facts): Access {
  if (seat.holdsSeat) return "open";
  if (status !== "paid" || seat.heldSeat) return "ended";
  return seat.isEnrolled || bookingReason === "already_enrolled" ? "without" : "closed";
}
