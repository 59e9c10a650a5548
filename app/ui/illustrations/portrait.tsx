import { Picture } from "./picture.tsx";

type PortraitProps = {
  /** A photograph at several widths. */
  picture?: { src: string; srcSet: string; width: number; height: number } | null;
  alt: string;
  /** A drawing, 4 to 5, that takes its place until then. Decoration, and read out as nothing. */
  drawing: string;
  className?: string;
};

/** A picture in a frame, 4 to 5: the photograph, or a drawing that does not pretend to be one. */
export function Portrait({ picture, alt, drawing, className = "" }: PortraitProps) {
  return (
    <figure className={className}>
      <div className="portrait-frame">
        {picture ? (
          <img
            {...picture}
            sizes="(min-width: 48rem) 26rem, 20rem"
            alt={alt}
            loading="lazy"
            decoding="async"
          />
        ) : (
          <Picture src={drawing} alt="" />
        )}
      </div>
    </figure>
  );
}
