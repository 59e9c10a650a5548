import type { ReactNode } from "react";
import { Prose } from "./prose.tsx";
import { headingId } from "./public-parts.tsx";

type LongTextProps = {
  heading: string;
  lead?: string | undefined;
  /** What stands before the first section: the date. */
  text: string;
  sections: { title: string; text: string }[];
  /** Stands after each text: what opens it for editing. */
  pencil: (at: "heading" | "lead" | "text" | "sections", item?: number) => ReactNode;
};

/** A text of many sections, set as in a book, with its contents: in the margin of a wide window,
 * behind a line that opens on a phone. */
export function LongText({ heading, lead, text, sections, pencil }: LongTextProps) {
  return (
    <article
      aria-labelledby="title"
      className="opening grid grid-cols-1 pb-section lg:grid-cols-[minmax(0,16rem)_minmax(0,1fr)] lg:gap-x-[clamp(2rem,6vw,6rem)]"
    >
      <header className="max-w-text lg:col-start-2">
        <h1 id="title">
          {heading}
          {pencil("heading")}
        </h1>
        {lead && <p className="mt-6 text-lg text-ink-soft">{lead}</p>}
        {pencil("lead")}
        <Prose html={text} className="mt-6 text-ink-soft" />
        {pencil("text")}
      </header>
      <nav aria-label="On this page" className="contents-list">
        <p className="contents-title">On this page</p>
        <details suppressHydrationWarning>
          <summary className="accordion-line">
            On this page
            <span className="accordion-sign" aria-hidden="true" />
          </summary>
          <ul>
            {sections.map(({ title }) => (
              <li key={title}>
                <a href={`#${headingId(title)}`}>{title}</a>
              </li>
            ))}
          </ul>
        </details>
      </nav>
      <div className="max-w-text lg:col-start-2 lg:row-start-2 lg:mt-16 print:mt-10">
        {sections.map(({ title, text }, at) => (
          <section key={title} className={at > 0 ? "mt-13" : ""}>
            <h2 id={headingId(title)} className="mb-[0.9rem] text-xl font-[450]">
              {title}
              {pencil("sections", at)}
            </h2>
            <Prose html={text} endMark={at === sections.length - 1} />
          </section>
        ))}
      </div>
    </article>
  );
}
