import { useEffect, useRef } from "react";
import { Button } from "~/ui/button.tsx";
import { faultInWords, filmFault, filmInWords } from "../films.ts";
import { lengthInWords } from "../length.ts";
import { conversionMessages as words } from "../messages.ts";
import { sizeInWords } from "../rules.ts";
import type { CheckedFilm } from "./film-check.ts";

export type FilmChoice = {
  file: File;
  /** Null for one that could not be read. */
  film: CheckedFilm | null;
  isTooLarge: boolean;
};

type Props = FilmChoice & {
  /** Whether the site converts films itself. */
  siteConverts: boolean;
  onConvert: () => void;
  onUpload: () => void;
  onDismiss: () => void;
};

/** What a chosen film is, what will happen with it, and the choice. Nothing is uploaded before. */
export function FilmOffer({ file, film, isTooLarge, siteConverts, ...on }: Props) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus(), []);
  const fault = film && filmFault(film);
  const canConvert = film?.canConvert ?? false;
  const facts = film && [
    filmInWords(film),
    film.durationMs !== null && lengthInWords(film.durationMs),
    sizeInWords(file.size),
  ];
  const cannotEver = fault === "size" ? words.cannotLarge : words.cannot;
  const cannot = film?.lacksRoom ? words.noRoom : cannotEver;
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={`About ${file.name}`}
      className="media-drop transfer outline-none"
    >
      <p className="media-file">
        {film && fault ? faultInWords(fault, film).title : `${file.name} cannot be read`}
      </p>
      {facts && <p className="media-facts">{[file.name, ...facts].filter(Boolean).join(" · ")}</p>}
      <p>
        {!film && words.unreadable}
        {film && (canConvert ? words.offer : siteConverts ? words.siteCan : cannot)}
      </p>
      <div className="media-actions">
        {canConvert && (
          <Button size="sm" onClick={on.onConvert}>
            {words.convert}
          </Button>
        )}
        {!isTooLarge && (
          <Button variant="outline" size="sm" onClick={on.onUpload}>
            {words.asItIs}
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={on.onDismiss}>
          {words.other}
        </Button>
      </div>
    </section>
  );
}
