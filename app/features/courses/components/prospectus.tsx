import type { ReactNode } from "react";
import { Accordion, AccordionItem } from "~/ui/accordion.tsx";
import { NumberedList } from "~/ui/numbered-list.tsx";
import { Page } from "~/ui/page.tsx";
import { Prose } from "~/ui/prose.tsx";
import { headingId, Spread } from "~/ui/public-parts.tsx";
import type { CoursePageContent } from "~content/fields.ts";
import { titleParts } from "../rules.ts";

/** Texts are HTML. */
type Part = { title: string; text: string };
/** `at` is the place of its text, `of` that of its parts. */
type PartOfPage = Part & { at: string; parts?: Part[]; of?: string };
/** Stands after a text: what opens it for editing. */
type PencilOf = (at: string, item?: number) => ReactNode;

/** The parts of a course's page in their order, each where it has words. */
function partsOf(words: CoursePageContent): PartOfPage[] {
  const all: PartOfPage[] = [
    { title: words.whatTitle || "What it is", text: words.what, at: "what" },
    {
      title: words.weeksTitle || "Week by week",
      text: words.weeksText,
      at: "weeksText",
      parts: words.weeks,
      of: "weeks",
    },
    { title: words.getTitle || "What you get", text: words.get, at: "get" },
    { title: words.forTitle || "Who it is for", text: words.for, at: "for" },
    { title: words.notForTitle || "Who it is not for", text: words.notFor, at: "notFor" },
    {
      title: words.questionsTitle || "Before you buy",
      text: "",
      at: "questionsTitle",
      parts: words.questions,
      of: "questions",
    },
  ];
  return all.filter(({ text, parts = [] }) => text !== "" || parts.length > 0);
}

type AtAGlanceProps = { facts: readonly string[]; pencil: (item: number) => ReactNode };

/** Short facts about a course, for visitors who read no further. */
export function AtAGlance({ facts, pencil }: AtAGlanceProps) {
  return (
    <ul
      aria-label="At a glance"
      className="mb-6 lg:mb-10 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4"
    >
      {facts.map((fact, at) => (
        <li
          key={fact}
          className="border-t border-line py-4 font-serif text-lg text-balance lg:pt-5"
        >
          {fact}
          {pencil(at)}
        </li>
      ))}
    </ul>
  );
}

/** Course sections: numbered parts (weeks, days) as a timetable, other parts as an accordion, a
 * bare list with rules, consecutive texts side by side. */
type ProspectusProps = { words: CoursePageContent; pencil: PencilOf };

export function Prospectus({ words, pencil }: ProspectusProps) {
  const groups = grouped(partsOf(words));
  return groups.map((group, at) => {
    const [first, ...others] = group;
    if (!first) return null;
    if (others.length > 0) return <SideBySide key={first.title} sections={group} pencil={pencil} />;
    const isAfterBand = (groups[at - 1]?.length ?? 0) > 1;
    return (
      <Page key={first.title}>
        <One section={first} line={isAfterBand ? "" : "border-t border-line"} pencil={pencil} />
      </Page>
    );
  });
}

const isList = (html: string) => html.startsWith("<ul>");

type OneProps = { section: PartOfPage; line: string; pencil: PencilOf };

function One({ section, line, pencil }: OneProps) {
  const { title, text, at, parts = [], of = "" } = section;
  const id = headingId(title);
  const prose = text && <Prose html={text} className={isList(text) ? "prose-ruled" : ""} />;
  const isTimetable = parts.length > 0 && parts.every((part) => titleParts(part.title).number);
  if (isTimetable)
    return (
      <section aria-labelledby={id} className={`py-section ${line}`}>
        <h2 id={id} className="mb-6 text-2xl">
          {title}
        </h2>
        {prose}
        {pencil(at)}
        <Timetable parts={parts} pencil={(item) => pencil(of, item)} />
      </section>
    );
  return (
    <Spread id={id} title={title} className={line}>
      {prose}
      {pencil(at)}
      {parts.length > 0 && <Questions parts={parts} pencil={(item) => pencil(of, item)} />}
    </Spread>
  );
}

type PartsProps = { parts: Part[]; pencil: (item: number) => ReactNode };

function Timetable({ parts, pencil }: PartsProps) {
  const entries = parts.map((part, at) => {
    const { number, title } = titleParts(part.title);
    return {
      figure: number?.replace(/\D+/, "") ?? "",
      spoken: `${number}: `,
      title,
      body: (
        <>
          <Html html={part.text} />
          {pencil(at)}
        </>
      ),
    };
  });
  return <NumberedList wide entries={entries} />;
}

/** Without the outer lines: the section has its own. */
const inner =
  "[&>.accordion]:border-t-0 [&_details:first-child>summary]:pt-0.5 [&_details:last-child]:border-b-0";

function Questions({ parts, pencil }: PartsProps) {
  return (
    <div className={inner}>
      <Accordion>
        {parts.map(({ title, text }, at) => (
          <AccordionItem key={title} title={title}>
            <Html html={text} />
            {pencil(at)}
          </AccordionItem>
        ))}
      </Accordion>
    </div>
  );
}

type SideBySideProps = { sections: PartOfPage[]; pencil: PencilOf };

function SideBySide({ sections, pencil }: SideBySideProps) {
  return (
    <div className="band">
      <Page className="columns gap-y-14 py-section">
        {sections.map(({ title, text, at }) => (
          <section
            key={title}
            aria-labelledby={headingId(title)}
            className="md:col-span-6 md:max-w-[31rem]"
          >
            <h2 id={headingId(title)} className="mb-6 text-2xl">
              {title}
            </h2>
            <Prose html={text} />
            {pencil(at)}
          </section>
        ))}
      </Page>
    </div>
  );
}

const isText = ({ text, parts = [] }: PartOfPage) => parts.length === 0 && !isList(text);

function grouped(sections: PartOfPage[]): PartOfPage[][] {
  const groups: PartOfPage[][] = [];
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
