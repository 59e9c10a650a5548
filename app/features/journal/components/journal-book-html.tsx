import { renderToStaticMarkup } from "react-dom/server";
import { Dot } from "~/ui/brand.tsx";
import { type Book, type BookChapter, type BookSection, bookParagraphs } from "../journal-book.ts";
import { photographAlt, photographPath } from "../photograph-messages.ts";

/** The book's HTML, a lesson at a time: a chapter opens with its first lesson and closes after its last. */
export async function* bookHtml({ name, days, pages }: Book): AsyncGenerator<string> {
  yield renderToStaticMarkup(<BookTitle name={name} days={days} />);
  let opened = "";
  let lesson = "";
  for await (const page of pages)
    for (const chapter of page) {
      if (chapter.id !== opened) {
        if (opened) yield "</section>";
        opened = chapter.id;
        yield `<section class="book-chapter" aria-labelledby="course-${chapter.id}">${renderToStaticMarkup(<ChapterTitle {...chapter} />)}`;
      }
      for (const section of chapter.sections) {
        yield renderToStaticMarkup(
          <Section section={section} isContinued={section.id === lesson} />,
        );
        lesson = section.id;
      }
    }
  if (opened) yield "</section>";
}

function ChapterTitle({ id, title }: Pick<BookChapter, "id" | "title">) {
  return (
    <h2 id={`course-${id}`} className="book-chapter-title">
      {title}
    </h2>
  );
}

function BookTitle({ name, days }: Pick<Book, "name" | "days">) {
  return (
    <header className="book-title">
      <Dot />
      <h1>My journal</h1>
      <p className="book-name">{name}</p>
      {days && <p className="book-date">{days}</p>}
    </header>
  );
}

function Section({ section, isContinued }: { section: BookSection; isContinued: boolean }) {
  const { id, title, module, day, answers, drafts, photographs, unreadable } = section;
  return (
    <section className="book-lesson" aria-label={title}>
      {!isContinued && (
        <header className="book-lesson-head">
          <p className="book-module">{module}</p>
          <h3 id={`title-${id}`} className="book-lesson-title">
            {title}
          </h3>
          {day && <p className="book-date">{day}</p>}
        </header>
      )}
      {unreadable && <p className="written">{unreadable}</p>}
      <Answers answers={answers} />
      {drafts.map((draft, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never move
        <div key={index} className="mt-10 border-s-2 border-line ps-5">
          <p className="book-draft-title">A draft, {draft.day}</p>
          {draft.unreadable && <p className="written">{draft.unreadable}</p>}
          <Answers answers={draft.answers} />
        </div>
      ))}
      {photographs.map(({ id, width, height, added }) => (
        <figure key={id} className="book-photograph">
          <img src={photographPath(id)} alt={photographAlt(added)} width={width} height={height} />
          <figcaption>Added {added}</figcaption>
        </figure>
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
        {bookParagraphs(answer).map((text, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they never move
          <p key={at} dir="auto" className="written">
            {text}
          </p>
        ))}
      </div>
    </div>
  ));
}
