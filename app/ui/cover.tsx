type CoverProps = {
  picture: { src: string; srcSet: string; width: number; height: number; alt: string };
  sizes: string;
  /** Within what a visitor sees first. */
  isFirst?: boolean;
  className?: string;
};

/** A photograph in a quiet frame, three wide to two high. */
export function Cover({ picture, sizes, isFirst = false, className = "" }: CoverProps) {
  const { src, srcSet, width, height, alt } = picture;
  return (
    <div className={`cover ${className}`}>
      <img
        {...{ sizes, srcSet, src, width, height }}
        alt={alt}
        loading={isFirst ? "eager" : "lazy"}
        fetchPriority={isFirst ? "high" : undefined}
        decoding="async"
      />
    </div>
  );
}
