import { ArrowLeft, Printer } from "lucide-react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Dot } from "~/ui/dot.tsx";
import { journalPath } from "../../notebook/texts.ts";
import { paragraphs } from "../rules.ts";
import type { Book, BookSection } from "../schema.ts";

/** The journal as a book: on paper only this, on the screen with a way back and a button above it. */
export function BookPage({ book, userId }: { book: Book; userId: string }) {
  return (
    <main id="main" tabIndex={-1} data-only-for={userId}>
      <div className="book-bar">
        <ButtonLink href={journalPath} variant="ghost" size="sm">
          <ArrowLeft aria-hidden="true" strokeWidth={1.75} />
          My journal
        </ButtonLink>
        <Button size="sm" data-print>
          <Printer aria-hidden="true" strokeWidth={1.75} />
          Print
        </Button>
      </div>
      <article className="book">
        <BookTitle book={book} />
        {book.chapters.map(({ id, title, sections }) => (
          <section key={id} className="book-chapter" aria-labelledby={`course-${id}`}>
            <h2 id={`course-${id}`} className="book-chapter-title">
              {title}
            </h2>
            {sections.map((section) => (
              <Section key={section.id} section={section} />
            ))}
          </section>
        ))}
      </article>
    </main>
  );
}

function BookTitle({ book: { name, days } }: { book: Book }) {
  return (
    <header className="book-title">
      <Dot />
      <h1>My journal</h1>
      <p className="book-name">{name}</p>
      {days && <p className="book-date">{days}</p>}
    </header>
  );
}

function Section({ section }: { section: BookSection }) {
  const { id, title, module, day, answers, drafts, unreadable } = section;
  return (
    <section className="book-lesson" aria-labelledby={`title-${id}`}>
      <header className="book-lesson-head">
        <p className="book-module">{module}</p>
        <h3 id={`title-${id}`} className="book-lesson-title">
          {title}
        </h3>
        {day && <p className="book-date">{day}</p>}
      </header>
      {unreadable && <p className="written">{unreadable}</p>}
      <Answers answers={answers} />
      {drafts.map((draft, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <div key={index} className="book-draft">
          <p className="book-draft-title">A draft, {draft.day}</p>
          {draft.unreadable && <p className="written">{draft.unreadable}</p>}
          <Answers answers={draft.answers} />
        </div>
      ))}
    </section>
  );
}

function Answers({ answers }: { answers: BookSection["answers"] }) {
  return answers.map(({ question, answer }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
    <div key={index} className="book-answer">
      <h4 dir="auto" className="book-question">
        {question}
      </h4>
      <div className="book-words">
        {paragraphs(answer).map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <p key={at} dir="auto" className="written">
            {text}
          </p>
        ))}
      </div>
    </div>
  ));
}
