import type { ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router";
import type { JournalFormError } from "~/features/journal/answers-form.server.ts";
import { SavedDraft } from "~/features/journal/components/draft-offer.tsx";
import { useUnsentJournalDrafts } from "~/features/journal/components/journal-autosave.tsx";
import { JournalForm } from "~/features/journal/components/journal-form.tsx";
import { LessonPhotographs } from "~/features/journal/components/lesson-photographs.tsx";
import { draftPath, journalPath } from "~/features/journal/messages.ts";
import { matchAnswers } from "~/features/journal/place-answers.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Prose } from "~/ui/prose.tsx";
import type { OpenLesson, Player, ShownLesson } from "../player.server.ts";
import { previewQuery } from "../rules.ts";
import { AfterLesson } from "./after-lesson.tsx";
import { LessonNavigation } from "./lesson-navigation.tsx";
import { LessonPlayers } from "./lesson-players.tsx";
import { PreviewPrompts } from "./preview.tsx";

type Props = {
  player: Player;
  userId: string;
  newDraftId: string;
  isPreview: boolean;
  problem: JournalFormError | null;
};

/** The main area of the player: a lesson, a locked lesson, or none. */
export function PlayerMain({ player, isPreview, ...rest }: Props) {
  const { lesson, course } = player;
  if (!lesson)
    return (
      <EmptyState heading="h1" title="Select a lesson to begin">
        {player.modules.length === 0 && <p>This course has no lessons yet.</p>}
      </EmptyState>
    );
  const after = <AfterLesson lesson={lesson} />;
  return (
    <article aria-labelledby="lesson-title">
      <h1 id="lesson-title" tabIndex={-1} className="mb-8 text-3xl outline-none">
        {lesson.title}
      </h1>
      {lesson.isDone && after}
      {lesson.state === "locked" ? (
        <>
          <Notice title={`This lesson opens ${lesson.opens}`}>
            <p>It is not going anywhere. Until then, everything that is open stays open to you.</p>
          </Notice>
          <Navigation lesson={lesson} />
        </>
      ) : (
        <>
          <Prose html={lesson.html} />
          <LessonPlayers
            media={lesson.media}
            where={{
              slug: course.slug,
              courseTitle: course.title,
              lesson,
              userId: isPreview ? null : rest.userId,
            }}
          />
          {lesson.files.length > 0 && (
            <section aria-labelledby="downloads" className="downloads">
              <h2 id="downloads">Downloads</h2>
              <ul>
                {lesson.files.map(({ href, title, facts }) => (
                  <li key={href}>
                    <a href={href}>{title}</a> <span>{facts}</span>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {isPreview ? (
            <>
              <PreviewPrompts prompts={lesson.prompts} />
              <WorksheetLinks lesson={lesson} />
              <Navigation lesson={lesson}>
                <Button disabled>
                  {lesson.completeModule ? "Complete Module" : "Mark as Complete"}
                </Button>
              </Navigation>
            </>
          ) : (
            <OpenLessonJournal
              key={String(lesson.isCompleted)}
              slug={course.slug}
              lesson={lesson}
              {...rest}
            />
          )}
        </>
      )}
      {!lesson.isDone && after}
    </article>
  );
}

/** The lesson's questions, and those of the course, to write to on paper. */
function WorksheetLinks({ lesson: { key, prompts } }: { lesson: OpenLesson }) {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  if (prompts.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-6 print:hidden">
      <ButtonLink
        href={`${pathname}/worksheet${previewQuery(search, { lesson: key })}`}
        variant="link"
        size="sm"
        className="min-h-11"
      >
        Print a worksheet
      </ButtonLink>
      <ButtonLink
        href={`${pathname}/workbook${previewQuery(search)}`}
        variant="link"
        size="sm"
        className="min-h-11"
      >
        Print the workbook
      </ButtonLink>
    </p>
  );
}

function Navigation({ lesson, children }: { lesson: ShownLesson; children?: ReactNode }) {
  const { previousKey, nextKey, passedOver } = lesson;
  return (
    <>
      {passedOver.length > 0 && (
        <div className="mt-10 -mb-4 grid gap-1 text-sm text-ink-soft">
          {passedOver.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </div>
      )}
      <LessonNavigation previousKey={previousKey} nextKey={nextKey}>
        {children}
      </LessonNavigation>
    </>
  );
}

type JournalProps = Pick<Props, "userId" | "newDraftId" | "problem"> & {
  slug: string;
  lesson: OpenLesson;
};

/** Below the text of an open lesson: its journal and the navigation. */
function OpenLessonJournal(props: JournalProps) {
  const { slug, lesson, userId } = props;
  const onDevice = useUnsentJournalDrafts(slug, userId).filter(
    ({ lessonId }) => lessonId === lesson.id,
  );
  if (!lesson.isCompleted)
    return (
      <JournalForm
        {...props}
        onDevice={onDevice}
        footer={(submit) => (
          <>
            <WorksheetLinks lesson={lesson} />
            <Navigation lesson={lesson}>{submit}</Navigation>
          </>
        )}
      />
    );
  return (
    <>
      <CompletedLesson slug={slug} lesson={lesson} userId={userId} />
      {onDevice.length > 0 && (
        <p className="mt-8 text-sm text-clay">
          Some of your text is saved only on this device, for about a week.{" "}
          <a href={journalPath}>It is in My journal</a>
        </p>
      )}
    </>
  );
}

/** The journal of a completed lesson: the student's answers under the questions, read-only. */
function CompletedLesson({
  slug,
  lesson,
  userId,
}: Pick<JournalProps, "slug" | "lesson" | "userId">) {
  const asked = lesson.prompts.map(({ question }) => question);
  const { matched, rest } = matchAnswers(asked, lesson.answers);
  const entries = [
    ...asked.map((question, index) => ({ question, answer: matched[index] ?? null })),
    ...rest,
  ];
  return (
    <div className="mt-12">
      {(entries.length + lesson.drafts.length + lesson.photographs.length > 0 ||
        lesson.unreadable) && (
        <section aria-labelledby="prompts-title" className="grid gap-6 border-t border-line pt-8">
          <h2 id="prompts-title" className="text-2xl">
            Journal Prompts for Reflection
          </h2>
          {lesson.completedBefore && (
            <div id="saved-draft" tabIndex={-1} className="rounded-control">
              <Notice>
                <p>{lesson.completedBefore}</p>
                <p>
                  <a href={draftPath(lesson.drafts[0]?.id)}>Add it to your journal</a>
                </p>
              </Notice>
            </div>
          )}
          {lesson.unreadable && <p className="text-ink-soft">{lesson.unreadable}</p>}
          <dl className="grid gap-6">
            {entries.map(({ question, answer }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
              <div key={index}>
                <dt className="font-serif text-lg wrap-anywhere">{`${index + 1}. ${question}`}</dt>
                <dd dir="auto" className="written mt-2">
                  {answer ??
                    (!lesson.unreadable && (
                      <span className="text-ink-soft">Nothing written here.</span>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
          {lesson.drafts.map((draft, index) => (
            <SavedDraft
              key={draft.id}
              draft={draft}
              slug={slug}
              isOpen={lesson.isDraftAsked && index === 0}
            />
          ))}
          <LessonPhotographs
            userId={userId}
            lessonId={lesson.id}
            photographs={lesson.photographs}
            html={lesson.photographsHtml}
          />
          <WorksheetLinks lesson={lesson} />
          {lesson.answers.length + lesson.drafts.length > 0 && (
            <p>
              <a href={`${journalPath}?lesson=${lesson.id}#lesson-${lesson.id}`}>
                Change or delete it in My journal
              </a>
            </p>
          )}
        </section>
      )}
      <Navigation lesson={lesson}>
        {lesson.completeModule === "done" && (
          <Button disabled variant="secondary">
            Module Complete!
          </Button>
        )}
      </Navigation>
    </div>
  );
}
