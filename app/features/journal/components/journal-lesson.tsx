import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { Button } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import type { JournalPageLesson } from "../journal-page.server.ts";
import { journalPath } from "../messages.ts";
import { photographAlt } from "../photograph-messages.ts";
import { targetKey } from "../rules.ts";
import type { ShownPhotograph } from "../schema.ts";
import { Photographs, PhotographsView } from "./photographs.tsx";

type Props = {
  slug: string;
  userId: string;
  lesson: JournalPageLesson;
  /** Stands in the place of the answer that is being changed, if it is one of this lesson. */
  edited: { key: string; form: ReactNode } | null;
};

const quiet = buttonStyles({ variant: "link", size: "sm" });

/** What they wrote in one lesson: its answers, and drafts that they have not sent. */
export function JournalLessonEntry({ slug, lesson, edited, userId }: Props) {
  const { id, title, module, finishedOn, answers, drafts, unreadable } = lesson;
  return (
    <article id={`lesson-${id}`} className="book-lesson" aria-labelledby={`title-${id}`}>
      <header className="book-lesson-head">
        <p className="book-module">{module}</p>
        <h3 id={`title-${id}`} className="book-lesson-title">
          {title}
        </h3>
        <p className="book-date">{finishedOn ?? "Not finished"}</p>
      </header>
      {unreadable && <p className="mt-3 text-sm text-ink-soft print:hidden">{unreadable}</p>}
      {answers.map(({ key, question, answer }) => (
        <Answer
          key={key}
          id={key}
          question={question}
          answer={answer}
          form={edited?.key === key ? edited.form : null}
        />
      ))}
      {drafts.map((draft) => (
        <Draft key={draft.id} draft={draft} slug={slug} lesson={lesson} />
      ))}
      <Photographed userId={userId} lesson={lesson} />
      <p className="journal-actions">
        {lesson.isOpen && (
          <a href={`/courses/${slug}/learn?lesson=${lesson.slug}~${id}`} className={quiet}>
            Open the lesson<span className="sr-only">: {title}</span>
          </a>
        )}
        <Question about={id} label="Delete this entry" of={title} />
      </p>
    </article>
  );
}

/** Their photographs; one more only while the lesson is open to them. */
function Photographed({ userId, lesson }: Pick<Props, "userId" | "lesson">) {
  const { id, photographs, isOpen, isContinued } = lesson;
  if (isContinued || (photographs.length === 0 && !isOpen)) return null;
  const deletion = ({ id, added }: ShownPhotograph) => (
    <Question
      about={targetKey({ kind: "photograph", photographId: id })}
      label="Delete"
      of={photographAlt(added)}
    />
  );
  if (!isOpen) return <PhotographsView lessonId={id} {...{ photographs, deletion }} />;
  return (
    <Form method="post" action={journalPath} encType="multipart/form-data" preventScrollReset>
      <input type="hidden" name="lessonId" value={id} />
      <Photographs
        key={photographs.map((one) => one.id).join()}
        {...{ userId, photographs, deletion }}
        lessonId={id}
        isFolded
      />
    </Form>
  );
}

type AnswerProps = { id: string; question: string; answer: string; form: ReactNode };

function Answer({ id, question, answer, form }: AnswerProps) {
  return (
    <div className="book-answer" id={`answer-${id}`}>
      {form ?? (
        <>
          <AnswerText question={question} answer={answer} />
          <p className="journal-actions">
            <Link to={`?edit=${id}#answer-${id}`} preventScrollReset className={quiet}>
              Change<span className="sr-only">: {question}</span>
            </Link>
            <Question about={id} label="Delete" of={question} />
          </p>
        </>
      )}
    </div>
  );
}

function AnswerText({ question, answer }: { question: string; answer: string }) {
  return (
    <>
      <h4 dir="auto" className="book-question">
        {question}
      </h4>
      <div dir="auto" className="book-words written">
        {answer}
      </div>
    </>
  );
}

type DraftProps = Pick<Props, "slug" | "lesson"> & { draft: JournalPageLesson["drafts"][number] };

function Draft({ draft, slug, lesson }: DraftProps) {
  const { id, key, when, answers, editKey, unreadable } = draft;
  const named = <span className="sr-only">: {draft.moment}</span>;
  const isChange = lesson.finishedOn !== null;
  return (
    <div id={`draft-${id}`} className="mt-10 border-s-2 border-line ps-5">
      <p className="book-draft-title">
        {isChange ? `Written on ${when} and not saved` : `A draft from ${when}, not sent yet`}
      </p>
      {unreadable && <p className="mt-3 text-sm text-ink-soft print:hidden">{unreadable}</p>}
      {answers.map(({ question, answer }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
        <div key={index} className="book-answer">
          <AnswerText question={question} answer={answer} />
        </div>
      ))}
      <div className="journal-actions">
        {isChange && editKey && (
          <Link
            to={`?edit=${editKey}&draft=${id}#answer-${editKey}`}
            preventScrollReset
            className={quiet}
          >
            Go on with it
            {named}
          </Link>
        )}
        {isChange && !editKey && !unreadable && !lesson.unreadable && (
          <SaveDraftAsAnswer draft={draft} />
        )}
        {!isChange && !unreadable && lesson.isOpen && (
          <a
            href={`/courses/${slug}/learn?lesson=${lesson.slug}~${lesson.id}&draft=${id}`}
            className={quiet}
          >
            Go on in the lesson
            {named}
          </a>
        )}
        <Question about={key} label="Delete this draft" of={draft.moment} />
      </div>
    </div>
  );
}

function SaveDraftAsAnswer({ draft: { key, revision, moment } }: Pick<DraftProps, "draft">) {
  return (
    <Form method="post" action={journalPath} preventScrollReset>
      <input type="hidden" name="intent" value="keep" />
      <input type="hidden" name="target" value={key} />
      <input type="hidden" name="version" value={revision} />
      <Button type="submit" variant="link" size="sm">
        Keep this in my journal<span className="sr-only">: {moment}</span>
      </Button>
    </Form>
  );
}

/** Leads to the question that stands before every deletion. */
function Question({ about, label, of }: { about: string; label: string; of: string }) {
  return (
    <Link to={`?delete=${about}`} preventScrollReset className={`${quiet} journal-delete`}>
      {label}
      <span className="sr-only">: {of}</span>
    </Link>
  );
}
