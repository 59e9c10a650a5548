import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Textarea } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import type { Transcript, TranscriptSaved } from "../captions.server.ts";
import {
  captionsMessages,
  type MediaKind,
  mediaPanelMessages,
  mediaProblems,
} from "../messages.ts";
import { useAsk } from "./ask-dialog.tsx";
import { usePost } from "./ask-site.ts";

/** Stores an unsaved transcript on this device; null deletes it. @returns false if storage is
 * forbidden or full: then the text is only in the page */
function storeUnsaved(name: string, typed: Transcript | null): boolean {
  try {
    if (typed) localStorage.setItem(name, JSON.stringify(typed));
    else localStorage.removeItem(name);
    return true;
  } catch {
    return false;
  }
}

/** Null if there is none, or it was edited by hand. */
function readUnsaved(name: string): Transcript | null {
  try {
    const typed = JSON.parse(localStorage.getItem(name) ?? "null");
    return typeof typed?.text === "string" && typeof typed.version === "string" ? typed : null;
  } catch {
    return null;
  }
}

type Props = {
  lessonId: string;
  kind: MediaKind;
  stored: Transcript;
  hasCaptions: boolean;
  refresh: () => Promise<boolean>;
};

/** The transcript of a video or audio, with its own save. Unsaved text is stored on this device; a
 * version saved elsewhere meanwhile is shown and not overwritten. */
export function TranscriptForm({ lessonId, kind, stored, hasCaptions, refresh }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [base, setBase] = useState(stored);
  const [other, setOther] = useState<Transcript | null>(null);
  const [said, setSaid] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, ask] = useAsk();
  const action = `/admin/lessons/${lessonId}/captions`;
  const { busy, error, setError, post } = usePost<TranscriptSaved>(action);
  const unsaved = `transcript:${lessonId}:${kind}`;
  const isOnDevice = useRef(true);
  function keep(text: string) {
    const typed = text === base.text ? null : { text, version: base.version };
    isOnDevice.current = storeUnsaved(unsaved, typed);
  }
  useUnsaved(() => !isOnDevice.current && box.current?.value !== base.text);

  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) return;
    isRestored.current = true;
    const typed = readUnsaved(unsaved);
    if (!typed || !box.current || typed.text === stored.text) return;
    box.current.value = typed.text;
    // The text is based on another version: saving it will show both.
    setBase({ text: typed.version === stored.version ? stored.text : "", version: typed.version });
    setSaid("Your unsaved text was restored.");
    setIsOpen(true);
  }, [unsaved, stored]);

  async function save(version: string) {
    const text = box.current?.value ?? "";
    setSaid("");
    const answer = await post({ intent: "transcript", kind, text, version });
    if (!answer?.ok) return;
    const { is, transcript } = answer.value;
    if (is === "changed") return setOther(transcript);
    setOther(null);
    setBase(transcript);
    if (box.current?.value === text) storeUnsaved(unsaved, null);
    setSaid(captionsMessages.transcriptSaved.title);
    await refresh();
  }

  async function propose() {
    try {
      const response = await fetch(action, { redirect: "manual" });
      if (!response.ok) throw new Error(response.statusText);
      const { transcriptOf } = await import("../captions.ts");
      const text = transcriptOf(await response.text());
      setError(null);
      if (!box.current) return;
      if (box.current.value.trim() === "" || box.current.value === text) return fill(text);
      ask({
        title: "Put the captions in its place?",
        text: "The words that stand in the transcript now are replaced. Nothing is saved before you press Save.",
        yes: "Replace the words",
        onYes: () => fill(text),
      });
    } catch {
      setError(mediaProblems.failed);
    }
  }

  function fill(text: string) {
    if (!box.current) return;
    box.current.value = text;
    keep(text);
    setSaid("Made from the captions. Read it once, then save it.");
    box.current.focus();
  }

  const name = kind === "video" ? "Transcript of the video" : "Transcript of the audio";
  return (
    <div className="media-words">
      <h4>{stored.text === "" ? "No transcript yet" : `Transcript: ${counted(stored.text)}`}</h4>
      {stored.text === "" && <p className="media-hint">{mediaPanelMessages.noTranscript[kind]}</p>}
      <p role="status" className={said ? "media-said" : "sr-only"}>
        {said}
      </p>
      <details
        className="media-details"
        open={isOpen}
        onToggle={(event) => setIsOpen(event.currentTarget.open)}
      >
        <summary>{stored.text === "" ? "Write a transcript" : "Read or change it"}</summary>
        <form
          method="post"
          action={action}
          onSubmit={(event: SubmitEvent) => {
            event.preventDefault();
            void save(base.version);
          }}
        >
          <input type="hidden" name="intent" value="transcript" />
          <input type="hidden" name="kind" value={kind} />
          <input type="hidden" name="version" value={base.version} />
          {other && (
            <Notice tone="warning" title={captionsMessages.transcriptChanged} live>
              <p className="media-other">{other.text || "It is empty now."}</p>
              <div className="media-actions">
                <Button variant="outline" size="sm" onClick={() => save(other.version)}>
                  Keep mine
                </Button>
                <Button
                  variant="outline"
                  size="sm"
                  onClick={() => {
                    setBase(other);
                    setOther(null);
                    storeUnsaved(unsaved, null);
                    if (box.current) box.current.value = other.text;
                  }}
                >
                  Take the other one
                </Button>
              </div>
            </Notice>
          )}
          <Field
            label={name}
            hint="Plain text, with an empty line between paragraphs."
            error={error}
          >
            <Textarea
              ref={box}
              name="text"
              rows={8}
              defaultValue={stored.text}
              onInput={(event) => keep(event.currentTarget.value)}
              className="media-transcript"
            />
          </Field>
          <div className="media-actions">
            <Button type="submit" variant="outline" size="sm" busy={busy} busyLabel="Saving">
              Save transcript
            </Button>
            {hasCaptions && (
              <Button variant="link" size="sm" className="needs-scripts" onClick={propose}>
                Make a transcript from the captions
              </Button>
            )}
          </div>
        </form>
      </details>
      {dialog}
    </div>
  );
}

function counted(text: string): string {
  const words = text.split(/\s+/).filter(Boolean).length;
  return words === 1 ? "1 word" : `${words.toLocaleString("en-US")} words`;
}
