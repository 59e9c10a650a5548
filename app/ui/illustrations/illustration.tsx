import type { ReactNode } from "react";

export type PictureProps = {
  /** Says what is to be seen. Without it the picture is decoration and not read out. */
  label?: string;
  className?: string;
};

type IllustrationProps = PictureProps & {
  viewBox: string;
  children: ReactNode;
  /** Fills its box and lets the sides go, instead of shrinking. */
  crop?: boolean;
  look?: string;
};

/**
 * The frame of every drawing. The strokes are filled shapes in tokens and currentColor, so night
 * needs no second drawing. They were drawn with a small program and are not meant to be edited.
 */
export function Illustration({
  viewBox,
  children,
  label,
  crop = false,
  look = "",
  className = "",
}: IllustrationProps) {
  return (
    <svg
      viewBox={viewBox}
      className={`illustration ${look} ${className}`}
      preserveAspectRatio={crop ? "xMidYMid slice" : undefined}
      role={label ? "img" : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      {children}
    </svg>
  );
}
