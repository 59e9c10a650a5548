import { WindowSeat } from "./window-seat.tsx";

type PortraitProps = {
  /** A photograph, 4 to 5. Until there is one, the drawing takes its place. */
  src?: string | undefined;
  /** Who is in the photograph. The drawing is decoration. */
  alt?: string;
  caption?: string;
  className?: string;
};

/** A picture in a frame, 4 to 5: the photograph, or a drawing that does not pretend to be one. */
export function Portrait({ src, alt = "", caption, className = "" }: PortraitProps) {
  return (
    <figure className={`portrait ${className}`}>
      <div className="portrait-frame">
        {src ? (
          <img src={src} alt={alt} width={800} height={1000} decoding="async" />
        ) : (
          <WindowSeat />
        )}
      </div>
      {caption && <figcaption className="mt-3 text-sm text-ink-soft">{caption}</figcaption>}
    </figure>
  );
}
