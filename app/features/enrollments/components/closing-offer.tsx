import type { ComponentProps } from "react";
import { labels } from "../texts.ts";
import { EnrollButton } from "./enroll-button.tsx";

/** The button once more, for whoever has read to the end. Nobody is hurried. */
export function ClosingOffer(button: ComponentProps<typeof EnrollButton>) {
  const { isEnrolled, instead } = button;
  const words = isEnrolled
    ? "Your place is kept."
    : instead
      ? labels.notYet
      : "The course stays here. Begin when you have ten minutes.";
  return (
    <section
      aria-labelledby="closing-title"
      className="grid justify-items-center border-t border-line py-section-lg text-center"
    >
      <h2 id="closing-title">There is no hurry</h2>
      <p className="mt-4 mb-9 max-w-[30rem] text-lg text-balance text-ink-soft">{words}</p>
      <EnrollButton {...button} />
    </section>
  );
}
