import { type SubmitEvent, useRef, useState } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";

import { useUnsaved } from "~/ui/unsaved.ts";
import { captionsMessages, mediaPanelMessages } from "../messages.ts";
import { isConflict, postForm } from "./ask-site.ts";
import { useAsk } from "./use-ask.tsx";

type Props = {
  lessonId: string;
  captions: number | null;
  version: string;
  refresh: () => Promise<boolean>;
};

/** Adds, downloads, replaces and deletes a video's captions. Captions saved elsewhere meanwhile are
 * shown before they can be overwritten. */
export function CaptionsForm({ lessonId, captions, version, refresh }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, ask] = useAsk();
  /** The version when the user began to fill in the form, even if the panel has refreshed since. */
  const seen = useRef<string | null>(null);
  const action = `/admin/lessons/${lessonId}/captions`;

  useUnsaved(() => {
    const { text, files } = chosen(form.current);
    return text.trim() !== "" || files > 0;
  });

  async function send(fields: FormData | Record<string, string>, done: string) {
    if (busy) return;
    setBusy(true);
    const answer = await postForm<{ converted?: boolean }>(action, fields);
    setBusy(false);
    const isSaving = fields instanceof FormData;
    setError(answer.ok || !isSaving ? null : answer.message);
    if (!answer.ok) {
      setSaid(isSaving ? "" : answer.message);
      if (isSaving) form.current?.querySelector<HTMLElement>("input[type=file]")?.focus();
      if (isConflict(answer.body) && (await refresh())) seen.current = null;
      return;
    }
    // The stored version is now the user's own.
    seen.current = null;
    // Anything not submitted, or pasted meanwhile, stays.
    if (isSaving && fields.get("text") === chosen(form.current).text) {
      form.current?.reset();
      setIsOpen(false);
    }
    const { converted } = answer.value;
    setSaid(converted ? `${done}. ${captionsMessages.converted.description}` : `${done}.`);
    await refresh();
  }
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    fields.set("version", seen.current ?? version);
    void send(fields, captionsMessages.saved.title);
  };
  const remove = () =>
    ask({
      title: "Remove the captions?",
      text: `Students no longer see them. ${counted(captions ?? 0)} are deleted for good; download them first if you may need them again.`,
      yes: "Remove the captions",
      no: "Keep",
      onYes: () => send({ intent: "remove", version }, captionsMessages.removed.title),
    });
  return (
    <div className="media-words">
      <h4>{captions === null ? "No captions yet" : `Captions: ${counted(captions)}`}</h4>
      {captions === null && <p className="media-hint">{mediaPanelMessages.noCaptions}</p>}
      <p role="status" className={said ? "media-said" : "sr-only"}>
        {said}
      </p>
      {captions !== null && (
        <div className="media-actions">
          <ButtonLink variant="link" size="sm" href={action} download>
            Download
          </ButtonLink>
          <Button variant="link" size="sm" className="needs-scripts" onClick={remove}>
            Remove
          </Button>
          <noscript>
            <form method="post" action={action}>
              <input type="hidden" name="intent" value="remove" />
              <input type="hidden" name="version" value={version} />
              <Button type="submit" variant="link" size="sm">
                Remove the captions
              </Button>
            </form>
          </noscript>
        </div>
      )}
      <details
        className="media-details"
        open={isOpen}
        onToggle={(event) => setIsOpen(event.currentTarget.open)}
      >
        <summary>{captions === null ? "Add captions" : "Replace them"}</summary>
        <form
          ref={form}
          method="post"
          action={action}
          encType="multipart/form-data"
          onSubmit={save}
          onInput={() => {
            seen.current ??= version;
          }}
        >
          <input type="hidden" name="intent" value="captions" />
          <input type="hidden" name="version" value={version} />
          <Field label="Captions file" hint="A WebVTT (.vtt) or SubRip (.srt) file." error={error}>
            <Input type="file" name="file" accept=".vtt,.srt,text/vtt" />
          </Field>
          <Field label="Or paste the captions here" optional>
            <Textarea name="text" rows={4} spellCheck={false} className="media-code" />
          </Field>
          <Button type="submit" variant="outline" size="sm" busy={busy} busyLabel="Saving">
            Save captions
          </Button>
        </form>
      </details>
      {dialog}
    </div>
  );
}

function chosen(form: HTMLFormElement | null) {
  const text = form?.querySelector("textarea")?.value ?? "";
  return { text, files: form?.querySelector<HTMLInputElement>("[type=file]")?.files?.length ?? 0 };
}

const counted = (captions: number) => (captions === 1 ? "1 line" : `${captions} lines`);
