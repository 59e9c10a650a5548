import { Accordion, AccordionItem } from "~/ui/accordion.tsx";
import { NumberedList } from "~/ui/numbered-list.tsx";
import { Page } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { Spread } from "~/ui/public-parts.tsx";
import type { TextPart, TextSection } from "~content/schema.ts";
import { titleParts } from "../rules.ts";

/** Short facts about a course, for visitors who read no further. */
export function AtAGlance({ facts }: { facts: readonly string[] }) {
  return (
    <ul
      aria-label="At a glance"
      className="mb-6 lg:mb-10 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4"
    >
      {facts.map((fact) => (
        <li
          key={fact}
          className="border-t border-line py-4 font-serif text-lg text-balance lg:pt-5"
        >
          {fact}
        </li>
      ))}
    </ul>
  );
}

/** Course sections: numbered parts (weeks, days) as a timetable, other parts as an accordion, a
 * bare list with rules, consecutive texts side by side. */
export function Prospectus({ sections }: { sections: TextSection[] }) {
  const groups = grouped(sections);
  return groups.map((group, at) => {
    const [first, ...others] = group;
    if (!first) return null;
    if (others.length > 0) return <SideBySide key={first.id} sections={group} />;
    const isAfterBand = (groups[at - 1]?.length ?? 0) > 1;
    return (
      <Page key={first.id}>
        <One section={first} line={isAfterBand ? "" : "border-t border-line"} />
      </Page>
    );
  });
}

const isList = (html: string) => html.startsWith("<ul>");

function One({ section, line }: { section: TextSection; line: string }) {
  const { id, title, html, parts = [] } = section;
  const text = html && <Prose html={html} className={isList(html) ? "prose-ruled" : ""} />;
  const isTimetable = parts.length > 0 && parts.every((part) => titleParts(part.title).number);
  if (isTimetable)
    return (
      <section aria-labelledby={id} className={`py-section ${line}`}>
        <h2 id={id} className="mb-6 text-2xl">
          {title}
        </h2>
        {text}
        <Timetable parts={parts} />
      </section>
    );
  return (
    <Spread id={id} title={title} className={line}>
      {text}
      {parts.length > 0 && <Questions parts={parts} />}
    </Spread>
  );
}

function Timetable({ parts }: { parts: TextPart[] }) {
  const entries = parts.map((part) => {
    const { number, title } = titleParts(part.title);
    return {
      figure: number?.replace(/\D+/, "") ?? "",
      spoken: `${number}: `,
      title,
      body: <Html html={part.html} />,
    };
  });
  return <NumberedList wide entries={entries} />;
}

/** Without the outer lines: the section has its own. */
const inner =
  "[&>.accordion]:border-t-0 [&_details:first-child>summary]:pt-0.5 [&_details:last-child]:border-b-0";

function Questions({ parts }: { parts: TextPart[] }) {
  return (
    <div className={inner}>
      <Accordion>
        {parts.map(({ id, title, html }) => (
          <AccordionItem key={id} title={title}>
            <Html html={html} />
          </AccordionItem>
        ))}
      </Accordion>
    </div>
  );
}

function SideBySide({ sections }: { sections: TextSection[] }) {
  return (
    <div className="band">
      <Page className="columns gap-y-14 py-section">
        {sections.map(({ id, title, html }) => (
          <section key={id} aria-labelledby={id} className="md:col-span-6 md:max-w-[31rem]">
            <h2 id={id} className="mb-6 text-2xl">
              {title}
            </h2>
            <Prose html={html} />
          </section>
        ))}
      </Page>
    </div>
  );
}

const isText = ({ html, parts = [] }: TextSection) => parts.length === 0 && !isList(html);

function grouped(sections: TextSection[]): TextSection[][] {
  const groups: TextSection[][] = [];
  for (const section of sections) {
    const before = groups.at(-1);
    if (before?.every(isText) && isText(section)) before.push(section);
    else groups.push([section]);
  }
  return groups;
}

function Html({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made safe when the site was built
  return <div className="grid gap-3" dangerouslySetInnerHTML={{ __html: html }} />;
}
