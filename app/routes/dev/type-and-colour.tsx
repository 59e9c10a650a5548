import { Dot, LoadingMark } from "~/ui/brand.tsx";
import { Wordmark } from "~/ui/wordmark.tsx";

import { Specimen, SpecimenLine } from "./specimen.tsx";

const swatches = [
  ["paper", "bg-paper"],
  ["surface", "bg-surface"],
  ["sunken", "bg-sunken"],
  ["line", "bg-line"],
  ["line-strong", "bg-line-strong"],
  ["ink", "bg-ink"],
  ["ink-soft", "bg-ink-soft"],
  ["dot", "bg-dot"],
  ["deep", "bg-deep"],
  ["sage", "bg-sage"],
  ["clay", "bg-clay"],
] as const;

const scale = [
  ["5xl", "font-serif text-5xl tracking-[-0.025em]"],
  ["4xl", "font-serif text-4xl tracking-[-0.02em]"],
  ["3xl", "font-serif text-3xl tracking-[-0.016em]"],
  ["2xl", "font-serif text-2xl tracking-[-0.012em]"],
  ["xl", "font-serif text-xl"],
  ["lg", "text-lg"],
  ["base", "text-base"],
  ["sm", "text-sm"],
  ["xs", "text-xs"],
] as const;

/** Tokens, type scale, wordmark and loading mark. */
export function TypeAndColour() {
  return (
    <>
      <Specimen title="Colour" wide>
        <ul className="grid grid-cols-2 gap-4 sm:grid-cols-4 lg:grid-cols-6">
          {swatches.map(([name, look]) => (
            <li key={name} className="text-sm text-ink-soft">
              <span className={`mb-2 block h-16 rounded-control border border-line ${look}`} />
              {name}
            </li>
          ))}
        </ul>
      </Specimen>
      <Specimen title="Type" wide>
        <div className="grid gap-6">
          {scale.map(([name, look]) => (
            <p key={name} className={look}>
              Still here, and so are you <span className="text-ink-soft">{name}</span>
            </p>
          ))}
        </div>
      </Specimen>
      <Specimen title="Wordmark and dot">
        <SpecimenLine name="Wordmark">
          <Wordmark name="Blue Dot" />
          <Wordmark name="Blue Dot" className="text-3xl" />
          <Wordmark name="Annemarie Lindqvist-Holm" />
        </SpecimenLine>
        <SpecimenLine name="Loading mark: sm, md, lg, xl; breathing; delayed">
          <LoadingMark size="sm" />
          <LoadingMark size="md" />
          <LoadingMark size="lg" />
          <LoadingMark size="xl" />
          <LoadingMark size="lg" animate />
          <LoadingMark size="lg" animate delayed />
        </SpecimenLine>
        <SpecimenLine name="Marker">
          <Dot /> <span>beside words</span>
        </SpecimenLine>
      </Specimen>
    </>
  );
}
