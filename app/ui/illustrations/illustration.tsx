type IllustrationProps = {
  /** The text of an SVG file. */
  drawing: string;
  /** A band from edge to edge, which lets its sides go instead of shrinking. */
  band?: "horizon" | "water";
  className?: string;
};

/** The frame of every drawing. Its colours are tokens and currentColor, so night needs no second
 * one. The drawings were made by a small program and are not meant to be edited. */
export function Illustration({ drawing, band, className = "" }: IllustrationProps) {
  const [, viewBox, shapes = ""] = /viewBox="(.+?)">(.*)<\/svg>/s.exec(drawing) ?? [];
  return (
    <svg
      viewBox={viewBox}
      className={`illustration ${band ?? ""} ${className}`}
      preserveAspectRatio={band && "xMidYMid slice"}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this folder
      dangerouslySetInnerHTML={{ __html: shapes }}
    />
  );
}
