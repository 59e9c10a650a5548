import { isOpenFor } from "~/features/enrollments/texts.ts";
import { messages } from "../texts.ts";
import type { Over, Purchase } from "./schema.ts";

/** What stands under 'Welcome to Your Course!' for somebody whose checkout it was. */
export const leads: Record<Exclude<Purchase["state"], Over>, (title: string) => string> = {
  enrolled: isOpenFor,
  waiting: (title) =>
    `Thank you. Your payment is on its way. As soon as it has arrived, “${title}” opens, and a letter tells you. There is nothing you have to do.`,
  attention: (title) =>
    `Your payment for “${title}” has arrived, and I am looking at it by hand. I will write to you. There is nothing you have to do.`,
};

export const goToCourse = { enrolled: "Go to the lessons", other: "Back to the course’s page" };

/** What whoever asks at another time, or is not signed in, reads: it has to be true of everybody. */
export const leadForAll =
  "Thank you. Once your enrollment has gone through, your course is open. Nothing has to happen today.";

const ask = "If you did not expect this, please write to me.";

/** What is said on the course's page of a checkout that is over. */
export const overToasts: Record<
  Over,
  { title: string; description: string; tone: "default" | "destructive" }
> = {
  failed: messages.didNotGoThrough,
  returned: {
    title: "The money for this course has gone back",
    description: `So that payment does not open the course any more. What you wrote in the journal is not deleted because of it. ${ask}`,
    tone: "default",
  },
  disputed: {
    title: "Your bank is asking about this payment",
    description: `Until it has decided, that payment does not open the course. What you wrote in the journal is not deleted because of it. ${ask}`,
    tone: "default",
  },
  undelivered: {
    title: "Your refund has not reached you",
    description: `The money for this course came back to me. I can see it, and will see to it that it reaches you. The course stays closed. ${ask}`,
    tone: "default",
  },
  closed: {
    title: "This course is not open to you",
    description: `Your payment for it has arrived, and does not open it now. ${ask}`,
    tone: "default",
  },
};
