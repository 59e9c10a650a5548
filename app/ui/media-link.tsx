type MediaLinkProps = {
  href: string;
  title: string;
  /** How long it takes, in words: '1 min'. */
  length: string;
  /** Where it leads, for those who do not see the arrow: 'opens on another site'. */
  away: string;
  /** Four wide to five high. */
  thumbnail: string;
  /** What is to be seen in the picture. */
  alt: string;
};

/** A film that is elsewhere: its picture, its title and its length, all of it one link. */
export function MediaLink({ href, title, length, away, thumbnail, alt }: MediaLinkProps) {
  return (
    <article className="media-link">
      <img
        src={thumbnail}
        alt={alt}
        width={800}
        height={1000}
        loading="lazy"
        decoding="async"
        className="media-link-picture"
      />
      <div>
        <p className="media-link-length" aria-hidden="true">
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <path d="M2.6 1.2q.2-.5.8-.3l7 4.4q.7.6 0 1.2l-6.9 4.6q-.7.3-.8-.4z" />
          </svg>
          {length}
        </p>
        <h3>
          <a href={href} rel="noopener" className="media-link-target">
            {title}
            <span className="sr-only">{` (film, ${length}, ${away})`}</span>
          </a>
        </h3>
      </div>
    </article>
  );
}
