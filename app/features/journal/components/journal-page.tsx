import { useState } from "react";
import { Link } from "react-router";
import { HelpNow } from "~/features/help/components/help-now.tsx";
import type { NearHelp } from "~/features/help/help.server.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { EmptyState } from "~/ui/empty-state.tsx";
import emptyPath from "~/ui/illustrations/empty-path.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Page, Section } from "~/ui/page.tsx";
import type { JournalPageData } from "../journal-page.server.ts";
import { closedCourseMessages } from "../journal-page-messages.ts";
import { bookPath, exportPath, journalPath, markdownPath, nearlyFull } from "../messages.ts";
import { countInWords } from "../rules.ts";
import { AnswerForm, UnplacedAnswer, type Unsaved } from "./answer-form.tsx";
import { DraftText } from "./draft-offer.tsx";
import { journalDevice, type LocalDraft } from "./journal-autosave.tsx";
import { JournalLessonEntry } from "./journal-lesson.tsx";

/** Above so many lessons in all, each course's list is closed at first. */
const openUpTo = 12;

/** The way to each lesson's entry, on this page of the journal or another. */
function Outline({ outline, page }: Pick<JournalPageData, "outline" | "page">) {
  const all = outline.reduce((sum, { lessons }) => sum + lessons.length, 0);
  if (all < 2) return null;
  return (
    <nav aria-label="In your journal" className="journal-outline print:hidden">
      {outline.map((course) => (
        <details key={course.id} open={all <= openUpTo} suppressHydrationWarning>
          <summary className="accordion-line">
            <span>{course.title}</span>
            <span className="shrink-0 text-sm font-normal text-ink-soft">
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
                  <span className="shrink-0 text-sm text-ink-soft">{lesson.when}</span>
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
  help: NearHelp | null;
  userId: string;
  /** A changed answer that was not saved. */
  unsaved: Unsaved | null;
  /** Text that the server did not take. */
  onDevice: LocalDraft[];
};

/** 'My journal': everything that a student has written, in the order of their courses. */
export function JournalPage({ journalPage, help, userId, unsaved, onDevice }: JournalPageProps) {
  const { courses, count, page, pages, room, edit } = journalPage;
  const edited = edit && {
    key: edit.key,
    form: <AnswerForm key={edit.key} edit={edit} userId={userId} unsaved={unsaved} />,
  };
  return (
    <Page width="text">
      <Section labelledBy="journal-title" className="journal-page">
        <header className="print:hidden">
          <h1 id="journal-title" className="text-4xl">
            My journal
          </h1>
          <p className="mt-4 text-lg text-ink-soft">
            Everything you have written here, in the order of your courses. Only you can see it.
          </p>
        </header>
        {unsaved && !edit && <UnplacedAnswer unsaved={unsaved} />}
        <OnThisDevice drafts={onDevice} userId={userId} />
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
            picture={<Illustration drawing={emptyPath} />}
            action={<ButtonLink href="/my-courses">My Courses</ButtonLink>}
          >
            <p>
              What you write under the questions of a lesson comes together here: to read again, to
              change, to print, or to take with you.
            </p>
          </EmptyState>
        ) : (
          <>
            <p className="mt-8 flex flex-wrap items-center gap-3 print:hidden">
              <span className="w-full text-ink-soft">{countInWords(count)}</span>
              <ButtonLink href={bookPath} variant="outline" size="sm">
                Print it as a book
              </ButtonLink>
              <ButtonLink href={markdownPath} variant="outline" size="sm" download>
                Download as Markdown
              </ButtonLink>
            </p>
            <Outline outline={journalPage.outline} page={page} />
            {courses.map(({ id, title, closed, slug, lessons }) => (
              <section key={id} className="book-chapter" aria-labelledby={`course-${id}`}>
                <h2 id={`course-${id}`} className="book-chapter-title">
                  {title}
                </h2>
                {closed && (
                  <p className="mt-3 text-sm text-ink-soft print:hidden">
                    {closedCourseMessages[closed]}
                  </p>
                )}
                {lessons.map((lesson) => (
                  <JournalLessonEntry key={lesson.id} {...{ slug, lesson, edited, userId }} />
                ))}
              </section>
            ))}
            {pages > 1 && <Pages page={page} pages={pages} />}
          </>
        )}
        <DownloadJournal hasText={count.lessons > 0} />
        <HelpNow help={help} className="mt-12 pt-4 print:hidden" />
      </Section>
    </Page>
  );
}

/** Text that the server did not take, to be read and copied: this browser alone has it. */
function OnThisDevice({ drafts, userId }: { drafts: LocalDraft[]; userId: string }) {
  const [gone, setGone] = useState<string[]>([]);
  function forget({ draftId, revision }: LocalDraft) {
    journalDevice.drop(userId, draftId, revision);
    setGone((ids) => [...ids, draftId]);
  }
  return drafts
    .filter(({ draftId }) => !gone.includes(draftId))
    .map((draft) => (
      <div key={draft.draftId} className="mt-8 rounded-card border border-line p-4 print:hidden">
        <p className="text-sm text-clay">
          This text is saved only on this device, for about a week. The site could not save it.
        </p>
        <DraftText answers={draft.answers} />
        <details className="mt-4">
          <summary className="text-sm text-ink-soft">Delete it from this device</summary>
          <Button variant="outline" size="sm" className="mt-3" onClick={() => forget(draft)}>
            Yes, delete this text
          </Button>
        </details>
      </div>
    ));
}

function Pages({ page, pages }: { page: number; pages: number }) {
  const to = (number: number) => `${journalPath}?page=${number}`;
  return (
    <nav
      aria-label="Pages of your journal"
      className="mt-16 flex flex-wrap items-center gap-4 border-t border-line pt-8 print:hidden"
    >
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

/** Ways to take everything along, and to be rid of what is written. */
function DownloadJournal({ hasText }: { hasText: boolean }) {
  return (
    <section aria-labelledby="keep-title" className="mt-20 border-t border-line pt-10 print:hidden">
      <h2 id="keep-title" className="text-xl">
        It is yours
      </h2>
      <p className="mt-3 text-ink-soft">
        You can download everything this site stores about you as one file: your journal to read,
        and all the rest as data.
      </p>
      <form method="post" action={exportPath} className="mt-5">
        <Button type="submit" variant="outline">
          Download everything
        </Button>
      </form>
      {hasText && (
        <p className="mt-6">
          <Link
            to="?delete=all"
            preventScrollReset
            className={buttonStyles({ variant: "link", size: "sm", className: "journal-delete" })}
          >
            Delete everything I have written
          </Link>
        </p>
      )}
    </section>
  );
}
