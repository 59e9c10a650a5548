const steps = [
  "You get a short email that asks whether it was you.",
  "You press the button in it, and once more on the page it opens. Until then I won’t write.",
  "Then a newsletter comes once a week. Each has a link at its end to unsubscribe.",
];

/** What a signup sets going, so that nobody waits for the wrong thing. */
export function WhatHappensNext() {
  return (
    <div className="border-t border-line pt-8">
      <h2 className="text-lg">What happens next</h2>
      <ol className="mt-4 grid gap-3">
        {steps.map((step, index) => (
          <li key={step} className="flex gap-4 text-ink-soft">
            <span aria-hidden="true" className="w-4 shrink-0 font-serif text-dot">
              {index + 1}
            </span>
            <span className="text-pretty">{step}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
