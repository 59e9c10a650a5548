import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Textarea } from "~/ui/inputs.tsx";
import { Notice } from "~/ui/notice.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import {
  captionsMessages,
  type MediaKind,
  mediaPanelMessages,
  mediaProblems,
} from "../messages.ts";
import type { Transcript, TranscriptSaved } from "../schema.ts";
import { postForm } from "./ask-site.ts";
import { useAsk } from "./use-ask.tsx";

const keyOf = (lessonId: string, kind: MediaKind) => `transcript:${lessonId}:${kind}`;

/** Stores an unsaved transcript on this device; null deletes it. @returns false if storage is
 * forbidden or full: then the text is only in the page */
export function storeTranscript(
  lessonId: string,
  kind: MediaKind,
  typed: Transcript | null,
): boolean {
  try {
    if (typed) localStorage.setItem(keyOf(lessonId, kind), JSON.stringify(typed));
    else localStorage.removeItem(keyOf(lessonId, kind));
    return true;
  } catch {
    return false;
  }
}

/** The unsaved transcript; null if there is none, or it was edited by hand. */
export function unsavedTranscript(lessonId: string, kind: MediaKind): Transcript | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(lessonId, kind)) ?? "null");
    return typeof kept?.text === "string" && typeof kept.version === "string" ? kept : null;
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
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const [isOpen, setIsOpen] = useState(false);
  const [dialog, ask] = useAsk();
  const isKept = useRef(true);
  function keep(text: string) {
    const typed = text === base.text ? null : { text, version: base.version };
    isKept.current = storeTranscript(lessonId, kind, typed);
  }
  useUnsaved(() => !isKept.current && box.current?.value !== base.text);

  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) return;
    isRestored.current = true;
    const kept = unsavedTranscript(lessonId, kind);
    if (!kept || !box.current || kept.text === stored.text) return;
    box.current.value = kept.text;
    // The text is based on another version: saving it will show both.
    setBase({ text: kept.version === stored.version ? stored.text : "", version: kept.version });
    setSaid("Your unsaved text was restored.");
    setIsOpen(true);
  }, [lessonId, kind, stored]);

  async function save(version: string) {
    const text = box.current?.value ?? "";
    if (busy) return;
    setBusy(true);
    setSaid("");
    const fields = { intent: "transcript", kind, text, version };
    const answer = await postForm<TranscriptSaved>(`/admin/lessons/${lessonId}/captions`, fields);
    setBusy(false);
    setError(answer.ok ? null : answer.message);
    if (!answer.ok) return;
    const { is, transcript } = answer.value;
    if (is === "changed") return setOther(transcript);
    setOther(null);
    setBase(transcript);
    if (box.current?.value === text) storeTranscript(lessonId, kind, null);
    setSaid(captionsMessages.transcriptSaved.title);
    await refresh();
  }

  async function propose() {
    try {
      const response = await fetch(`/admin/lessons/${lessonId}/captions`, { redirect: "manual" });
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
        no: "Keep what is there",
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
          action={`/admin/lessons/${lessonId}/captions`}
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
                    storeTranscript(lessonId, kind, null);
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
