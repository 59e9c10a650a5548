import { Eye, History, Trash2 } from "lucide";
import { useCallback, useRef, useState } from "react";
import { v7 } from "uuid";
import { MediaPanel } from "~/features/lesson-media/components/media-panel.tsx";
import { pictureTypes } from "~/features/pictures/messages.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import type { Crumb } from "~/ui/breadcrumbs.tsx";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { buttonStyles } from "~/ui/button-styles.ts";
import { Field } from "~/ui/field.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { LessonDraft } from "../drafts.server.ts";
import type { OpenedLesson, SavedLesson, SaveProblem } from "../editor.server.ts";
import { LessonForm, type LessonFormPage } from "./lesson-form.tsx";
import {
  discardLessonDraft,
  lessonDraftDevice,
  useUnsentLessonDrafts,
} from "./use-lesson-draft.ts";

type Props = {
  opened: OpenedLesson;
  problem: SaveProblem | null;
  saved: SavedLesson | null;
};

/** Without scripts, the page holds what was rejected; else what was opened. */
function firstPage(opened: OpenedLesson, problem: SaveProblem | null): LessonFormPage {
  const { draftId, fields, revision, continued } = opened;
  const page = { draftId, fields, revision, continued: continued ? [continued] : [] };
  if (!problem?.fields) return page;
  return {
    ...page,
    fields: problem.fields,
    revision: problem.revision,
    continued: problem.drafts,
  };
}

/** The page for editing a new or stored lesson. */
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
  useUnsentLessonDrafts(userId);

  /** The draft gets a form of its own; text in the current form stays a draft and is offered. */
  function goOn(draft: LessonDraft) {
    const given = page.draftId;
    setHidden((now) => [...now, draft.id, ...(hasWords.current() ? [] : [given])]);
    const { id } = draft;
    const newer = lessonDraftDevice.newer(userId, id, draft.revision);
    const { revision, fields, baseRevision } = newer ?? draft;
    setModuleId(fields.moduleId);
    setPage({ draftId: v7(), fields, revision: baseRevision, continued: [{ id, revision }] });
  }

  async function discard(draft: LessonDraft) {
    if (!(await discardLessonDraft(lessonId, draft))) return;
    lessonDraftDevice.drop(userId, draft.id, draft.revision);
    setHidden((now) => [...now, draft.id]);
  }

  // What was typed into a continued draft since is not in this form.
  const isInForm = ({ id, revision }: LessonDraft) =>
    page.continued.some((one) => one.id === id && one.revision >= revision);
  const offers = drafts.filter(
    (draft) => draft.id !== page.draftId && !hidden.includes(draft.id) && !isInForm(draft),
  );
  const here = about ? `/admin/lessons/${lessonId}?` : `/admin/lessons/new?id=${lessonId}&`;
  // A form that replaced another one does not show that one's errors.
  const isOfPage =
    !problem?.fields ||
    problem === firstProblem ||
    problem.drafts.some(({ id }) => id === page.draftId);
  // Field errors are shown below their fields, a conflict above the form.
  const isSaidHere = problem && !problem.other && Object.keys(problem.errors).length === 0;
  return (
    <AdminPage
      title={about ? "Edit lesson" : "New lesson"}
      above={pagesAbove(opened)}
      actions={
        about && (
          <>
            <ButtonLink variant="outline" size="sm" href={about.studentPath}>
              <Icon of={Eye} /> View as a student
            </ButtonLink>
            <ButtonLink variant="ghost" size="sm" href={`/admin/lessons/${lessonId}/history`}>
              <Icon of={History} /> History
            </ButtonLink>
            <ButtonLink variant="ghost" size="sm" href={`/admin/lessons/${lessonId}?delete=1`}>
              <Icon of={Trash2} /> Delete
            </ButtonLink>
          </>
        )
      }
    >
      {offers.map((draft) => (
        <LessonDraftOffer
          key={draft.id}
          draft={draft}
          lessonId={lessonId}
          href={`${here}draft=${draft.id}`}
          isOlder={draft.baseRevision !== opened.storedRevision}
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
      {about && <PictureFormWithoutScripts lessonId={lessonId} />}
      <MediaPanel
        lessonId={lessonId}
        moduleId={moduleId || null}
        isSaved={about !== null}
        media={opened.media}
      />
    </AdminPage>
  );
}

/** The site answers with the line that shows the picture. */
function PictureFormWithoutScripts({ lessonId }: { lessonId: string }) {
  return (
    <noscript>
      <form
        method="post"
        action="/admin/pictures"
        encType="multipart/form-data"
        className="picture-form"
      >
        <input type="hidden" name="use" value="lesson" />
        <input type="hidden" name="id" value={lessonId} />
        <Field
          label="A picture for the text"
          hint="Save the lesson first. After the upload you get a line to copy into the text."
        >
          <Input type="file" name="file" accept={pictureTypes} required dense />
        </Field>
        <Button type="submit" variant="outline" size="sm">
          Upload picture
        </Button>
      </form>
    </noscript>
  );
}

/** A stored lesson is below its module; a new one too, if it was opened for one. */
function pagesAbove({ about, fields, courses }: OpenedLesson): Crumb[] {
  const moduleId = about?.moduleId ?? fields.moduleId;
  const isAround = ({ modules }: OpenedLesson["courses"][number]) =>
    modules.some(({ id }) => id === moduleId);
  const course = courses.find(isAround);
  const module = course?.modules.find(({ id }) => id === moduleId);
  return [
    { href: "/admin/courses", label: "Courses" },
    ...(course && module
      ? [
          { href: `/admin/courses/${course.id}`, label: course.title },
          { href: `/admin/modules/${module.id}`, label: module.title },
        ]
      : [{ href: "/admin/lessons", label: "Lessons" }]),
  ];
}

type OfferProps = {
  draft: LessonDraft;
  lessonId: string;
  /** This page with the draft in its form, for browsers without scripts. */
  href: string;
  /** The lesson was saved since, here or elsewhere. */
  isOlder: boolean;
  onContinue: (draft: LessonDraft) => void;
  onDiscard: (draft: LessonDraft) => void;
};

/** Offers a draft that was typed and not saved. */
function LessonDraftOffer({ draft, lessonId, href, isOlder, onContinue, onDiscard }: OfferProps) {
  const name = draft.fields.title.trim();
  const which = name ? `${draft.when}, “${name}”` : draft.when;
  return (
    <Notice className="writing-offer">
      <p>
        You were writing this on {draft.when}
        {name && <>: “{name}”</>}.{" "}
        {isOlder &&
          "The lesson was saved after that. If you save this too, both versions are shown."}
      </p>
      <div className="writing-offer-buttons">
        <a
          href={href}
          aria-label={`Continue: ${which}`}
          className={buttonStyles({ variant: "default", size: "sm" })}
          onClick={(event) => {
            event.preventDefault();
            onContinue(draft);
          }}
        >
          Continue
        </a>
        <form
          method="post"
          action={`/admin/lessons/${lessonId}/draft`}
          onSubmit={(event) => {
            event.preventDefault();
            onDiscard(draft);
          }}
        >
          <input type="hidden" name="draft" value={`${draft.id}:${draft.revision}`} />
          <Button type="submit" variant="outline" size="sm" aria-label={`Discard: ${which}`}>
            Discard
          </Button>
        </form>
      </div>
    </Notice>
  );
}
