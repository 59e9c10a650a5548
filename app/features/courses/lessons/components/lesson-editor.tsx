import { Eye, Trash2 } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { v7 } from "uuid";
import { ButtonLink } from "~/ui/button.tsx";
import { DeskPage } from "~/ui/desk.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Saved, SaveProblem } from "../../editor/commands.server.ts";
import type { OpenedLesson } from "../../editor/queries.server.ts";
import { MediaPanel } from "../../media/components/media-panel.tsx";
import type { Writing } from "../../writing/queries.server.ts";
import { LessonForm, type Page } from "./lesson-form.tsx";
import { useLeftBehind } from "./use-writing.ts";
import { WritingOffer } from "./writing-offer.tsx";
import { giveUp, writingDevice } from "./writing-store.ts";

type Props = {
  opened: OpenedLesson;
  problem: SaveProblem | null;
  saved: Saved | null;
};

/** What the form holds at first: what was refused, where scripts are off; else what was opened. */
function firstPage(opened: OpenedLesson, problem: SaveProblem | null): Page {
  const { draftId, fields, revision, continued } = opened;
  const page = { draftId, fields, revision, continued: continued ? [continued] : [] };
  if (!problem?.fields) return page;
  const drafts = problem.drafts.map((draft) => draft.split(":"));
  return {
    ...page,
    fields: problem.fields,
    revision: problem.revision,
    continued: drafts.map(([id = "", saves]) => ({ id, saves: Number(saves) || 0 })),
  };
}

/** The page on which a lesson is written, new or not. */
export function LessonEditor({ opened, problem, saved }: Props) {
  const { lessonId, userId, about, drafts } = opened;
  const [page, setPage] = useState(() => firstPage(opened, problem));
  const [firstProblem] = useState(problem);
  const [moduleId, setModuleId] = useState(page.fields.moduleId);
  const [hidden, setHidden] = useState<string[]>([]);
  const hasWords = useRef<() => boolean>(() => false);
  const onKeeper = useCallback((ask: () => boolean) => {
    hasWords.current = ask;
  }, []);
  useLeftBehind(userId);

  /** The draft goes into a form of its own; what stood in this one stays a draft, and is offered. */
  function goOn(draft: Writing) {
    const given = page.draftId;
    setHidden((now) => [...now, draft.id, ...(hasWords.current() ? [] : [given])]);
    const { id, saves, fields, baseRevision } = draft;
    setModuleId(fields.moduleId);
    setPage({ draftId: v7(), fields, revision: baseRevision, continued: [{ id, saves }] });
  }

  async function discard(draft: Writing) {
    if (!(await giveUp(lessonId, draft))) return;
    writingDevice.drop(userId, draft.id, draft.saves);
    setHidden((now) => [...now, draft.id]);
  }

  const offers = drafts.filter(({ id }) => id !== page.draftId && !hidden.includes(id));
  const here = about ? `/admin/lessons/${lessonId}?` : `/admin/lessons/new?id=${lessonId}&`;
  // A form that took the place of another one has nothing to do with what that one was told.
  const isOfPage =
    !problem?.fields ||
    problem === firstProblem ||
    problem.drafts.some((draft) => draft.startsWith(page.draftId));
  // What is wrong with a field is said below it, another version above the form.
  const isSaidHere = problem && !problem.other && Object.keys(problem.errors).length === 0;
  return (
    <DeskPage
      title={about ? "Edit lesson" : "New lesson"}
      lead={about && `${about.courseTitle}, ${about.moduleTitle}`}
      back={{ href: "/admin/lessons", label: "Lessons" }}
      actions={
        about && (
          <>
            <ButtonLink variant="outline" size="sm" href={about.studentPath}>
              <Eye aria-hidden="true" strokeWidth={1.75} /> View as a student
            </ButtonLink>
            <ButtonLink variant="ghost" size="sm" href={`/admin/lessons?delete=${lessonId}`}>
              <Trash2 aria-hidden="true" strokeWidth={1.75} /> Delete
            </ButtonLink>
          </>
        )
      }
    >
      {offers.map((draft) => (
        <WritingOffer
          key={draft.id}
          draft={draft}
          lessonId={lessonId}
          href={`${here}draft=${draft.id}`}
          isOlder={draft.baseRevision !== opened.revision}
          onContinue={goOn}
          onDiscard={(given) => void discard(given)}
        />
      ))}
      {problem && isOfPage && isSaidHere && (
        <Notice tone="destructive" className="save-problem" live>
          <p>{problem.message}</p>
          {problem.signedOut && (
            <p>
              <a href="/auth" target="_blank" rel="noreferrer">
                Sign in again in a new tab
              </a>
              , then come back to this one and save once more.
            </p>
          )}
        </Notice>
      )}
      <LessonForm
        key={page.draftId}
        opened={opened}
        page={page}
        problem={isOfPage ? problem : null}
        saved={saved?.draftId === page.draftId ? saved : null}
        onKeeper={onKeeper}
        onModule={setModuleId}
      />
      <MediaPanel
        lessonId={lessonId}
        moduleId={moduleId || null}
        isSaved={about !== null}
        media={opened.media}
      />
    </DeskPage>
  );
}
