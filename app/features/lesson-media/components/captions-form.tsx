import { type SubmitEvent, useRef, useState } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import { captionsMessages, mediaPanelMessages } from "../messages.ts";
import { RemoveDialog } from "./ask-dialog.tsx";
import { usePost } from "./ask-site.ts";

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
  const [said, setSaid] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  /** The version when the user began to fill in the form, even if the panel has refreshed since. */
  const seen = useRef<string | null>(null);
  const action = `/admin/lessons/${lessonId}/captions`;
  const { busy, error, post } = usePost<{ converted: boolean }>(action);

  useUnsaved(() => {
    const { text, files } = chosen(form.current);
    return text.trim() !== "" || files > 0;
  });

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    fields.set("version", seen.current ?? version);
    const answer = await post(fields);
    if (!answer) return;
    if (!answer.ok) {
      setSaid("");
      form.current?.querySelector<HTMLElement>("input[type=file]")?.focus();
      if (answer.isConflict && (await refresh())) seen.current = null;
      return;
    }
    // Anything pasted meanwhile stays.
    if (fields.get("text") === chosen(form.current).text) {
      form.current?.reset();
      setIsOpen(false);
    }
    const { title } = captionsMessages.saved;
    const { description } = captionsMessages.converted;
    await finish(answer.value.converted ? `${title}. ${description}` : `${title}.`);
  }
  function finish(words: string) {
    // The stored version is now the user's own.
    seen.current = null;
    setSaid(words);
    return refresh();
  }
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
          <DialogButton dialog="remove-captions" variant="link" size="sm">
            Remove
          </DialogButton>
          <RemoveDialog
            key={version}
            id="remove-captions"
            title="Remove the captions?"
            text={`Students no longer see them. ${counted(captions)} are deleted for good; download them first if you may need them again.`}
            action={action}
            fields={{ intent: "remove", version }}
            yes="Remove the captions"
            onRemoved={() => finish(`${captionsMessages.removed.title}.`)}
            refresh={refresh}
          />
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
    </div>
  );
}

function chosen(form: HTMLFormElement | null) {
  const text = form?.querySelector("textarea")?.value ?? "";
  return { text, files: form?.querySelector<HTMLInputElement>("[type=file]")?.files?.length ?? 0 };
}

const counted = (captions: number) => (captions === 1 ? "1 line" : `${captions} lines`);
