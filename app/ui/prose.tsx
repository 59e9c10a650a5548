type ProseProps = {
  /** Rendered and sanitised Markdown. */
  html: string;
  /** Closes the text with the dot, as a magazine does. */
  endMark?: boolean;
  className?: string;
};

/** Keeps the last two words, if they have no markup, and the dot on one line. */
function closed(html: string): string {
  const end = html.trimEnd().replace(/ ([^\s<>]+) ([^\s<>]+)<\/p>$/, "\u00a0$1\u00a0$2</p>");
  return end.replace(/<\/p>$/, '\u2060<span class="dot end-mark" aria-hidden="true"></span></p>');
}

/** Long copy from Markdown, in the column and rhythm for reading. */
export function Prose({ html, endMark = false, className = "" }: ProseProps) {
  return (
    <div
      className={`prose ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: from Markdown, sanitised when it was rendered
      dangerouslySetInnerHTML={{ __html: endMark ? closed(html) : html }}
    />
  );
}
