import { type ChangeEvent, type DragEvent, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { filmFault } from "../films.ts";
import type { UploadState } from "../media-panel.server.ts";
import {
  mediaKindMessages,
  mediaPanelMessages,
  mediaProblems,
  uploadRefusals,
} from "../messages.ts";
import { acceptOf, endingsInWords, fileRefusal, percentOf } from "../rules.ts";
import { useAsk } from "./ask-dialog.tsx";
import { discardUpload } from "./ask-site.ts";
import { type FilmChoice, FilmOffer } from "./film-offer.tsx";
import type { OfKind } from "./use-panel-state.ts";

type Props = OfKind & {
  stopped: UploadState | null;
  /** A refused upload that the next one replaces. */
  refusedId: string | null;
  onGiveUp: (() => void) | null;
};

/** Chooses a file, or takes one that is dropped, and starts its upload. */
export function FileChooser({ stopped, refusedId, onGiveUp, ...of }: Props) {
  const { kind, limit, lessonId, moduleId, siteConverts } = of;
  const [error, setError] = useState<string | null>(null);
  const [isAbove, setIsAbove] = useState(false);
  const [offer, setOffer] = useState<FilmChoice | null>(null);
  const [isReading, setIsReading] = useState(false);
  const [dialog, ask] = useAsk();

  async function take(file: File, resumed: UploadState | null) {
    if (!moduleId) return;
    const fault = fileRefusal(kind, file, limit);
    setOffer(null);
    setError(fault);
    const isTooLarge = fault !== null && file.size > limit && kind === "video";
    if (fault && !isTooLarge) return;
    if (kind === "video" && !resumed && (await isOffered(file, isTooLarge))) return;
    if (!fault) await send(file, resumed);
  }
  /** Whether the coach is asked first: a film that does not play everywhere, or cannot be read. */
  async function isOffered(file: File, isTooLarge: boolean): Promise<boolean> {
    setIsReading(true);
    // Loaded when a film is chosen: a browser may be without it, and the upload is not.
    const film = await import("./film-check.ts")
      .then(({ checkFilm }) => checkFilm(file))
      .catch(() => undefined);
    setIsReading(false);
    if (film === undefined) return false;
    if (film && !film.videoCodec && film.audioCodec) {
      setError(uploadRefusals.audioInVideo);
      return true;
    }
    if (film && (isTooLarge ? !film.canConvert : !filmFault(film))) return false;
    if (isTooLarge && !film) return false;
    setError(null);
    setOffer({ file, film, isTooLarge });
    return true;
  }
  async function convert(file: File) {
    if (!moduleId) return;
    const href = location.pathname + location.search;
    setOffer(null);
    try {
      const { startConversion } = await import("./convert-film.ts");
      await startConversion({ lessonId, moduleId, kind, file, href });
      if (refusedId) await discardUpload(refusedId);
    } catch {
      setError(mediaProblems.failed);
    }
  }
  async function send(file: File, resumed: UploadState | null) {
    if (!moduleId) return;
    setOffer(null);
    const href = location.pathname + location.search;
    try {
      const { startUpload } = await import("./tus-upload.ts");
      const isTaken = await startUpload({ lessonId, moduleId, kind, file, href }, resumed);
      if (resumed && !isTaken) askInstead(file, resumed);
      else if (refusedId) await discardUpload(refusedId);
    } catch {
      setError(mediaProblems.failed);
    }
  }
  const askInstead = (file: File, { id, fileName, received, size }: UploadState) =>
    ask({
      title: `Upload ${file.name} instead?`,
      text: `This is another file than ${fileName}, which stopped at ${percentOf(received, size)} %. What has arrived of that is deleted.`,
      yes: `Upload ${file.name}`,
      onYes: async () => {
        await discardUpload(id);
        await take(file, null);
      },
    });
  const choose = ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    // Otherwise, choosing the same file again would not count as a change.
    input.value = "";
    if (file) void take(file, stopped);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsAbove(false);
    const file = event.dataTransfer.files[0];
    if (file) void take(file, stopped);
  };
  const chooseHint = moduleId ? endingsInWords(kind, limit) : mediaPanelMessages.moduleFirst;
  const hint = isReading ? "Looking at the film" : chooseHint;
  if (offer)
    return (
      <FilmOffer
        {...offer}
        siteConverts={siteConverts}
        onConvert={() => void convert(offer.file)}
        onUpload={() => void send(offer.file, null)}
        onDismiss={() => setOffer(null)}
      />
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the input inside does the same
    <div
      className="media-drop"
      data-over={isAbove && moduleId ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsAbove(true);
      }}
      onDragLeave={() => setIsAbove(false)}
      onDrop={drop}
    >
      <Field label={mediaKindMessages[kind].choose} hint={hint} error={error}>
        <Input type="file" accept={acceptOf(kind)} disabled={!moduleId} onChange={choose} />
      </Field>
      {onGiveUp && (
        <Button variant="link" size="sm" onClick={onGiveUp}>
          Keep the file that is there
        </Button>
      )}
      {dialog}
    </div>
  );
}
