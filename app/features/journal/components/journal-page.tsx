import type { ReactNode } from "react";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { EmptyPath } from "~/ui/illustrations/empty-path.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import type { JournalPageData } from "../journal-page.server.ts";
import { closedCourseMessages } from "../journal-page-messages.ts";
import { bookPath, journalPath, markdownPath, nearlyFull } from "../messages.ts";
import { countInWords } from "../rules.ts";
import { JournalLessonEntry } from "./journal-lesson.tsx";

/** Above so many lessons in all, each course's list is closed at first. */
const openUpTo = 12;

type Props = { outline: JournalPageData["outline"]; page: number };

/** The way to each lesson's entry, on this page of the journal or another. */
export function JournalPageOutline({ outline, page }: Props) {
  const all = outline.reduce((sum, { lessons }) => sum + lessons.length, 0);
  if (all < 2) return null;
  return (
    <nav aria-label="In your journal" className="notebook-outline">
      {outline.map((course) => (
        <details key={course.id} open={all <= openUpTo} suppressHydrationWarning>
          <summary>
            <span>{course.title}</span>
            <span className="notebook-outline-count">
              {course.lessons.length} {course.lessons.length === 1 ? "lesson" : "lessons"}
            </span>
            <span className="accordion-sign" aria-hidden="true" />
          </summary>
          <ol>
            {course.lessons.map((lesson) => (
              <li key={lesson.id}>
                <a
                  href={`${lesson.page === page ? "" : `${journalPath}?page=${lesson.page}`}#lesson-${lesson.id}`}
                >
                  <span>{lesson.title}</span>
                  <span className="notebook-outline-when">{lesson.when}</span>
                </a>
              </li>
            ))}
          </ol>
        </details>
      ))}
    </nav>
  );
}

type JournalPageProps = {
  journalPage: JournalPageData;
  /** The form of the answer that is being changed. */
  edited: { key: string; form: ReactNode } | null;
  /** What stands above everything: a form that belongs to no answer any more. */
  above: ReactNode;
  /** What stands below: ways to keep it all, or to be rid of it. */
  below: ReactNode;
};

/** 'My journal': everything somebody has written, in the order of their courses. */
export function JournalPage({ journalPage, edited, above, below }: JournalPageProps) {
  const { courses, count, page, pages, room } = journalPage;
  return (
    <Page width="text">
      <Section labelledBy="journal-title" className="notebook">
        <header className="notebook-head">
          <h1 id="journal-title" className="text-4xl">
            My journal
          </h1>
          <p className="mt-4 text-lg text-ink-soft">
            Everything you have written here, in the order of your courses. Only you can see it.
          </p>
        </header>
        {above}
        {room !== null && (
          <Notice className="mt-8 print:hidden" title={nearlyFull(room)}>
            <p>
              Everything you wrote stays. For more room, delete drafts that you no longer need; you
              can download all of it first.
            </p>
          </Notice>
        )}
        {courses.length === 0 ? (
          <EmptyState
            title="Nothing written yet"
            picture={<EmptyPath />}
            action={<ButtonLink href="/my-courses">My Courses</ButtonLink>}
          >
            <p>
              What you write under the questions of a lesson comes together here: to read again, to
              change, to print, or to take with you.
            </p>
          </EmptyState>
        ) : (
          <>
            <p className="notebook-tools">
              <span className="text-ink-soft">{countInWords(count)}</span>
              <ButtonLink href={bookPath} variant="outline" size="sm">
                Print it as a book
              </ButtonLink>
              <ButtonLink href={markdownPath} variant="outline" size="sm" download>
                Download as Markdown
              </ButtonLink>
            </p>
            <JournalPageOutline outline={journalPage.outline} page={page} />
            {courses.map(({ id, title, closed, slug, lessons }) => (
              <section key={id} className="book-chapter" aria-labelledby={`course-${id}`}>
                <h2 id={`course-${id}`} className="book-chapter-title">
                  {title}
                </h2>
                {closed && <p className="notebook-closed">{closedCourseMessages[closed]}</p>}
                {lessons.map((lesson) => (
                  <JournalLessonEntry key={lesson.id} slug={slug} lesson={lesson} edited={edited} />
                ))}
              </section>
            ))}
            {pages > 1 && <Pages page={page} pages={pages} />}
          </>
        )}
        {below}
      </Section>
    </Page>
  );
}

function Pages({ page, pages }: { page: number; pages: number }) {
  const to = (number: number) => `${journalPath}?page=${number}`;
  return (
    <nav aria-label="Pages of your journal" className="notebook-pages">
      {page > 1 && (
        <ButtonLink href={to(page - 1)} variant="outline">
          Earlier pages
        </ButtonLink>
      )}
      <span className="text-ink-soft">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <ButtonLink href={to(page + 1)} variant="outline">
          Go on reading
        </ButtonLink>
      )}
    </nav>
  );
}
