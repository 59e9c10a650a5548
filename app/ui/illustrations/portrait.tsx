type PortraitProps = {
  /** A photograph, 4 to 5; null as long as there is none. */
  photo: string | null;
  /** Who is in the photograph. */
  alt: string;
  /** A drawing, 4 to 5, that takes its place until then. Decoration, and read out as nothing. */
  drawing: string;
  caption?: string;
  className?: string;
};

/** A picture in a frame, 4 to 5: the photograph, or a drawing that does not pretend to be one. */
export function Portrait({ photo, alt, drawing, caption, className = "" }: PortraitProps) {
  return (
    <figure className={`portrait ${className}`}>
      <div className="portrait-frame">
        <img
          src={photo ?? drawing}
          alt={photo ? alt : ""}
          width={800}
          height={1000}
          loading="lazy"
          decoding="async"
        />
      </div>
      {caption && <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>}
    </figure>
  );
}
