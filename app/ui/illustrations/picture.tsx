type PictureProps = {
  src: string;
  alt: string;
  className?: string;
};

/** CSS shows a drawing by day or at night: in an `<img>`, WebKit knows no theme. One file is both. */
export function Picture(props: PictureProps) {
  const frame = { width: 800, height: 1000, loading: "lazy", decoding: "async" } as const;
  const { src, alt, className = "" } = props;
  if (!src.endsWith(".svg")) return <img src={src} alt={alt} className={className} {...frame} />;
  return (
    <>
      <img src={src} alt={alt} className={`by-day ${className}`} {...frame} />
      <img src={`${src}#night`} alt={alt} className={`at-night ${className}`} {...frame} />
    </>
  );
}
