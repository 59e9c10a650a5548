import type { ReactNode } from "react";

type SpecimenProps = { title: string; children: ReactNode; wide?: boolean };

/** One part of the design system under its name. */
export function Specimen({ title, children, wide = false }: SpecimenProps) {
  const id = title.toLowerCase().replaceAll(/\W+/g, "-");
  return (
    <section aria-labelledby={id} className="border-t border-line py-12">
      <h2 id={id} className="mb-8 text-xl">
        {title}
      </h2>
      <div className={wide ? "" : "max-w-text"}>{children}</div>
    </section>
  );
}

/** A wrapping row of specimens with a label. */
export function SpecimenLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="mb-6 grid gap-3">
      <p className="text-sm text-ink-soft">{name}</p>
      <div className="flex flex-wrap items-center gap-4">{children}</div>
    </div>
  );
}
