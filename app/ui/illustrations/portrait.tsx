import { Picture } from "./picture.tsx";

type PortraitProps = {
  photo: string | null;
  alt: string;
  /** A drawing, 4 to 5, that takes its place until then. Decoration, and read out as nothing. */
  drawing: string;
  className?: string;
};

/** A picture in a frame, 4 to 5: the photograph, or a drawing that does not pretend to be one. */
export function Portrait({ photo, alt, drawing, className = "" }: PortraitProps) {
  return (
    <figure className={className}>
      <div className="portrait-frame">
        <Picture src={photo ?? drawing} alt={photo ? alt : ""} />
      </div>
    </figure>
  );
}
