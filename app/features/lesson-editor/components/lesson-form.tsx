import { useEffect, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { draftsText } from "~/features/drafts/rules.ts";
import type { SeenDraft } from "~/features/drafts/schema.ts";
import type { AutosaveState } from "~/ui/autosave.ts";
import { AutosaveStatus, autosaveStatusId } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { FieldContext } from "~/ui/field.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { OpenedLesson, SavedLesson, SaveProblem } from "../editor.server.ts";
import type { Fields } from "../messages.ts";
import { LessonConflictNotice } from "./conflict-notice.tsx";
import { ContentEditor } from "./content-editor.tsx";
import { LessonDetails } from "./lesson-details.tsx";
import { PromptsEditor } from "./prompts-editor.tsx";
import { useLessonDraft } from "./use-lesson-draft.ts";

export type LessonFormPage = {
  draftId: string;
  fields: Fields;
  revision: number;
  continued: SeenDraft[];
};

type Props = {
  opened: OpenedLesson;
  page: LessonFormPage;
  problem: SaveProblem | null;
  saved: SavedLesson | null;
  /** Receives a check for unsaved text, which must be offered if another form replaces this one. */
  onKeeper: (hasWords: () => boolean) => void;
  /** Receives the chosen module: uploads go into its folder. */
  onModule: (moduleId: string) => void;
};

/** The form of a lesson. Its fields own their text; no response overwrites it. */
export function LessonForm({ opened, page, problem, saved, onKeeper, onModule }: Props) {
  const { lessonId, userId, courses, about } = opened;
  const form = useRef<HTMLFormElement>(null);
  const drafts = useRef<HTMLInputElement>(null);
  /** A number typed during a save counts as changed. */
  const orderSent = useRef("");
  const { state, savedAt, autosave, base } = useLessonDraft(form, {
    userId,
    lessonId,
    ...page,
    baseRevision: page.revision,
  });
  useUnsaved(() => state === "only-here");
  // Reloads may change what is stored, but not the revision that the form started from.
  const [revision, setRevision] = useState(problem?.other?.revision ?? page.revision);
  const [orderBefore, setOrderBefore] = useState(
    problem?.other?.fields.orderNum ?? opened.orderBefore,
  );
  const isSaving = useNavigation().formMethod === "POST";
  const [isUploading, setUploading] = useState(false);
  const submit = useSubmit();

  useEffect(() => onKeeper(() => autosave.current?.hasWords() ?? false), [onKeeper, autosave]);
  useEffect(() => {
    if (!saved) return;
    setRevision(saved.revision);
    setOrderBefore(orderSent.current);
    base.current = saved.revision;
    autosave.current?.saved();
  }, [saved, autosave, base]);
  useEffect(() => {
    if (!problem) return;
    const known = problem.other?.revision ?? null;
    if (known !== null) setRevision(known);
    if (problem.other) setOrderBefore(problem.other.fields.orderNum);
    setRevision((now) => {
      base.current = known ?? now;
      autosave.current?.resume();
      return now;
    });
    const [name] = Object.keys(problem.errors);
    const field = name && form.current?.elements.namedItem(name);
    const visible = field instanceof HTMLElement && field.getClientRects().length > 0;
    if (visible) field.focus();
    else if (name === "prompts")
      form.current?.querySelector<HTMLElement>(".prompts [data-part]")?.focus();
    else if (problem.other) document.getElementById("versions-title")?.scrollIntoView();
  }, [problem, autosave, base]);
  useEffect(() => {
    if (!isSaving) autosave.current?.resume();
  }, [isSaving, autosave]);

  const errors = problem?.errors ?? {};
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      noValidate
      className="lesson-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (isSaving || isUploading) return;
        orderSent.current = String(new FormData(event.currentTarget).get("orderNum") ?? "");
        if (drafts.current) drafts.current.value = draftsText(autosave.current?.submit() ?? []);
        // At once, or a quick second press would send the form again.
        submit(event.currentTarget, { preventScrollReset: true, flushSync: true });
      }}
    >
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={lessonId} />
      <input type="hidden" name="revision" value={revision} />
      <input type="hidden" name="orderBefore" value={orderBefore} />
      <input
        ref={drafts}
        type="hidden"
        name="drafts"
        defaultValue={draftsText([{ id: page.draftId, revision: 0 }, ...page.continued])}
      />
      {problem?.other && (
        <LessonConflictNotice
          key={problem.other.revision}
          mine={problem.fields ?? page.fields}
          other={problem.other}
          form={form}
          courses={courses}
          href={`/admin/lessons/${lessonId}`}
        />
      )}
      <FieldContext value={{ describedBy: autosaveStatusId, invalid: false }}>
        <LessonDetails
          lessonId={lessonId}
          isNew={about === null}
          fields={page.fields}
          errors={errors}
          proposal={problem?.proposal ?? null}
          courses={courses}
          onModule={onModule}
        />
        <ContentEditor
          form={form}
          lessonId={lessonId}
          title={page.fields.title}
          defaultValue={page.fields.content}
          html={opened.html}
          error={errors.content}
          onUploading={setUploading}
        />
        <PromptsEditor
          defaultValue={page.fields.prompts}
          error={errors.prompts}
          detail={problem?.detail ?? null}
        />
      </FieldContext>
      <div className="save-bar">
        <Button
          type="submit"
          busy={isSaving || isUploading}
          busyLabel={isSaving ? "Saving..." : "Uploading a picture..."}
        >
          {about ? "Save" : "Create lesson"}
        </Button>
        <LessonAutosaveStatus state={state} savedAt={savedAt} />
      </div>
    </Form>
  );
}

const savedMessage = (at: Date | null) =>
  at ? `Saved as a draft at ${at.toLocaleTimeString([], { timeStyle: "short" })}` : "";

const messages = {
  "only-here":
    "Not saved, and this browser keeps nothing: your words are only in this page. Please copy them to a safe place.",
  unreachable: "Not saved: no connection; your words are on this device, for about a week",
  full: "Not saved as a draft: your text is on this device, for about a week",
  refused: "Not saved as a draft: your text is on this device, for about a week",
  "signed-out":
    "Not saved: you have been signed out; your text is on this device, for about a week.",
};

/** Where the text of a lesson's form is; `savedAt` is when the server last had all of it. */
function LessonAutosaveStatus(props: { state: AutosaveState; savedAt: Date | null }) {
  const saved = savedMessage(props.savedAt);
  return <AutosaveStatus state={props.state} messages={{ ...messages, writing: saved, saved }} />;
}
