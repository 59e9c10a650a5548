import { useEffect, useRef, useState } from "react";
import { Form, useNavigation, useSubmit } from "react-router";
import { draftsText } from "~/features/drafts/rules.ts";
import { ContentPictures } from "~/features/pictures/components/content-pictures.tsx";
import { usePictureUploads } from "~/features/pictures/components/use-picture-uploads.ts";
import {
  RecordingUpload,
  useRecordingUpload,
} from "~/features/recordings/components/recording-upload.tsx";
import { AutosaveStatus, autosaveStatusId } from "~/ui/autosave-status.tsx";
import { Button } from "~/ui/button.tsx";
import { Field, FieldContext } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { formatByKey, MarkdownToolbar } from "~/ui/markdown-toolbar.tsx";
import { Notice } from "~/ui/notice.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { IssueFormProblem } from "../issue-form.server.ts";
import { longestIssue, savingMessages, undecidedMessages } from "../messages.ts";
import type { IssueWords } from "../schema.ts";
import { IssuePreview } from "./issue-preview.tsx";
import { type OtherIssue, readWords, type StoredIssue, useIssueDraft } from "./use-issue-draft.ts";

type Props = {
  userId: string;
  issueId: string;
  stored: StoredIssue;
  /** What was sent and not saved. */
  problem: IssueFormProblem | null;
};

/** The form of an issue, saved while it is typed, beside the email that it becomes. Without scripts it
 * is a form with a button. */
export function IssueEditor({ userId, issueId, stored, problem }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const drafts = useRef<HTMLInputElement>(null);
  const { state, savedAt, autosave, other, settle } = useIssueDraft(form, {
    ...{ userId, issueId, stored },
  });
  useUnsaved(() => state === "only-here");
  const [view, setView] = useState<"write" | "preview">("write");
  const [isUploading, setUploading] = useState(false);
  const [first] = useState(problem?.words ?? stored.words);
  const [subject, setSubject] = useState(first.subject);
  const isSaving = useNavigation().formMethod === "POST";
  const submit = useSubmit();
  useEffect(() => {
    if (!isSaving) autosave.current?.resume();
  }, [isSaving, autosave]);
  const errorOf = (name: string) => (problem?.field === name ? problem.message : undefined);
  const saved = savedAt?.toLocaleTimeString([], { timeStyle: "short" });
  const messages = other ? undecidedMessages : savingMessages(saved ?? "");
  return (
    <div className="content-editor issue-editor" data-view={view}>
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons, no fields */}
      <div className="content-views" role="group" aria-label="What is shown">
        {(["write", "preview"] as const).map((one) => (
          <Button
            key={one}
            variant={view === one ? "secondary" : "ghost"}
            size="sm"
            aria-pressed={view === one}
            onClick={() => setView(one)}
          >
            {one === "write" ? "Write" : "Preview"}
          </Button>
        ))}
      </div>
      <Form
        ref={form}
        method="post"
        noValidate
        className="content-write issue-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSaving || isUploading || other) return;
          if (drafts.current) drafts.current.value = draftsText(autosave.current?.submit() ?? []);
          submit(event.currentTarget, { flushSync: true });
        }}
      >
        <input type="hidden" name="intent" value="send" />
        <input
          ref={drafts}
          type="hidden"
          name="drafts"
          defaultValue={draftsText([{ id: stored.id, revision: stored.revision }])}
        />
        {other && <Choice other={other} onChoose={settle} mine={() => readWords(form.current)} />}
        {problem && problem.field === "" && (
          <Notice tone="destructive" title={problem.message} live />
        )}
        <FieldContext value={{ describedBy: autosaveStatusId, invalid: false }}>
          <Field label="Subject" error={errorOf("subject")}>
            <Input
              name="subject"
              defaultValue={first.subject}
              maxLength={longestIssue.subject}
              autoComplete="off"
              onInput={({ currentTarget }) => setSubject(currentTarget.value)}
            />
          </Field>
          <Field
            label="The line beside the subject"
            optional
            error={errorOf("preview")}
            hint="In a list of emails it stands after the subject, in grey."
          >
            <Input
              name="preview"
              defaultValue={first.preview}
              maxLength={longestIssue.preview}
              autoComplete="off"
            />
          </Field>
          <BodyField defaultValue={first.body} error={errorOf("body")} onUploading={setUploading} />
        </FieldContext>
        <div className="save-bar">
          <Button
            type="submit"
            busy={isSaving || isUploading}
            busyLabel={isSaving ? "One moment..." : "Uploading..."}
          >
            Check and send
          </Button>
          <AutosaveStatus state={state} messages={messages} isReported={other !== null} />
          <noscript>
            <span className="text-sm text-ink-soft">
              Your text is saved when you press the button. Nothing is sent yet.
            </span>
          </noscript>
        </div>
      </Form>
      <IssuePreview
        issueId={issueId}
        subject={subject}
        version={savedAt ? String(savedAt.getTime()) : `${stored.id}.${stored.revision}`}
      />
    </div>
  );
}

type BodyProps = {
  defaultValue: string;
  error: string | undefined;
  onUploading: (isUploading: boolean) => void;
};

const bodyId = "issue-body";

function BodyField({ defaultValue, error, onUploading }: BodyProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const pictures = usePictureUploads(field, { use: "page" });
  const recording = useRecordingUpload(field);
  const isUploading = pictures.isUploading || recording.isUploading;
  useEffect(() => onUploading(isUploading), [onUploading, isUploading]);
  return (
    <div>
      <Field
        label="Text"
        id={bodyId}
        error={error}
        hint="A greeting with the reader’s name stands before it, and your first name below it."
      >
        <div className="content-frame">
          <MarkdownToolbar
            field={field}
            controls={bodyId}
            onPicture={() => chooser.current?.click()}
            onRecording={recording.choose}
            withButton
          />
          <Textarea
            ref={field}
            name="body"
            defaultValue={defaultValue}
            maxLength={longestIssue.body}
            className="content-field"
            spellCheck
            onKeyDown={formatByKey}
            {...pictures.onField}
          />
        </div>
      </Field>
      <RecordingUpload of={recording} />
      <ContentPictures of={pictures} chooser={chooser} />
    </div>
  );
}

type ChoiceProps = {
  other: OtherIssue;
  mine: () => IssueWords;
  onChoose: (words: IssueWords) => void;
};

function Choice({ other: { from, words }, mine, onChoose }: ChoiceProps) {
  const isElsewhere = from === "elsewhere";
  return (
    <Notice tone={isElsewhere ? "destructive" : "info"} live>
      <p>
        {isElsewhere
          ? "This issue was changed elsewhere since you opened it. Your text is not saved yet. It says there:"
          : "This browser has a text of this issue that could not be sent:"}
      </p>
      <blockquote className="page-editor-other">
        {[words.subject, words.body].filter(Boolean).join("\n\n")}
      </blockquote>
      <p className="page-editor-foot">
        <Button size="sm" variant="outline" onClick={() => onChoose(words)}>
          {isElsewhere ? "Use that text" : "Use it"}
        </Button>
        <Button size="sm" variant="outline" onClick={() => onChoose(mine())}>
          {isElsewhere ? "Keep mine" : "Discard it"}
        </Button>
      </p>
    </Notice>
  );
}
