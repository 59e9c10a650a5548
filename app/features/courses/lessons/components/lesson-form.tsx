import { useCallback, useEffect, useRef, useState } from "react";
import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { Saved, SaveProblem } from "../../editor/commands.server.ts";
import type { OpenedLesson } from "../../editor/queries.server.ts";
import type { Fields } from "../schema.ts";
import { ContentEditor } from "./content-editor.tsx";
import { KeepLine } from "./keep-line.tsx";
import { LessonDetails } from "./lesson-details.tsx";
import { OtherVersionNotice } from "./other-version.tsx";
import { PromptsEditor } from "./prompts-editor.tsx";
import { useWriting } from "./use-writing.ts";

/** What one form begins with. */
export type Page = {
  draftId: string;
  fields: Fields;
  revision: number;
  continued: { id: string; saves: number }[];
};

type Props = {
  opened: OpenedLesson;
  page: Page;
  problem: SaveProblem | null;
  saved: Saved | null;
  /** Told when the form has words of its own, so that they can be offered if others take their place. */
  onKeeper: (hasWords: () => boolean) => void;
  /** Told which module is chosen: uploads go into its folder. */
  onModule: (moduleId: string) => void;
};

/** The form of a lesson. Its fields hold their own words; nothing that comes back takes them away. */
export function LessonForm({ opened, page, problem, saved, onKeeper, onModule }: Props) {
  const { lessonId, userId, courses, about } = opened;
  const form = useRef<HTMLFormElement>(null);
  const drafts = useRef<HTMLInputElement>(null);
  /** A number typed while it is being saved is one that she changed. */
  const orderSent = useRef("");
  const { state, keptAt, keeper } = useWriting(form, {
    userId,
    lessonId,
    ...page,
    baseRevision: page.revision,
  });
  useUnsaved(() => state === "only-here");
  // What is stored may change behind the form; which revision she started from may not.
  const [revision, setRevision] = useState(problem?.other?.revision ?? page.revision);
  const [orderBefore, setOrderBefore] = useState(
    problem?.other?.fields.orderNum ?? opened.orderBefore,
  );
  const isSaving = useNavigation().formMethod === "POST";

  useEffect(() => onKeeper(() => keeper.current?.hasWords() ?? false), [onKeeper, keeper]);
  useEffect(() => {
    if (!saved) return;
    setRevision(saved.revision);
    setOrderBefore(orderSent.current);
    keeper.current?.saved(saved.revision);
  }, [saved, keeper]);
  useEffect(() => {
    if (!problem) return;
    const known = problem.other?.revision ?? null;
    if (known !== null) setRevision(known);
    if (problem.other) setOrderBefore(problem.other.fields.orderNum);
    setRevision((now) => {
      keeper.current?.resume(known ?? now);
      return now;
    });
    const [name] = Object.keys(problem.errors);
    const field = name && form.current?.elements.namedItem(name);
    const visible = field instanceof HTMLElement && field.checkVisibility();
    if (visible) field.focus();
    else if (name === "prompts")
      form.current?.querySelector<HTMLElement>(".prompts [data-part]")?.focus();
    else if (problem.other) document.getElementById("versions-title")?.scrollIntoView();
  }, [problem, keeper]);
  useEffect(() => {
    if (!isSaving) keeper.current?.interrupted();
  }, [isSaving, keeper]);

  const changed = useCallback(() => keeper.current?.changed(), [keeper]);
  const errors = problem?.errors ?? {};
  const ownDraft = `${page.draftId}:0`;
  return (
    <Form
      ref={form}
      method="post"
      encType="multipart/form-data"
      preventScrollReset
      noValidate
      className="lesson-form"
      onSubmit={(event) => {
        if (isSaving) return event.preventDefault();
        orderSent.current = String(new FormData(event.currentTarget).get("orderNum") ?? "");
        if (drafts.current) drafts.current.value = (keeper.current?.submit() ?? []).join(" ");
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
        defaultValue={[ownDraft, ...page.continued.map(({ id, saves }) => `${id}:${saves}`)].join(
          " ",
        )}
      />
      {problem?.other && (
        <OtherVersionNotice
          key={problem.other.revision}
          mine={problem.fields ?? page.fields}
          other={problem.other}
          form={form}
          courses={courses}
          href={`/admin/lessons/${lessonId}`}
        />
      )}
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
        title={page.fields.title}
        defaultValue={page.fields.content}
        html={opened.html}
        error={errors.content}
      />
      <PromptsEditor
        defaultValue={page.fields.prompts}
        error={errors.prompts}
        detail={problem?.detail ?? null}
        onChange={changed}
      />
      <div className="save-bar">
        <Button type="submit" busy={isSaving} busyLabel="Saving...">
          {about ? "Save" : "Create lesson"}
        </Button>
        <KeepLine state={state} keptAt={keptAt} />
      </div>
    </Form>
  );
}
