import {
  type ClipboardEvent,
  type DragEvent,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { v7 } from "uuid";
import { block } from "~/ui/markdown-format.ts";
import { applyEdit, selectedIn } from "~/ui/markdown-toolbar.tsx";
import { pictureMessages } from "../messages.ts";
import { type PlacedPicture, pictureLine, placedPictures, waitingLine } from "../rules.ts";
import type { AddedPicture } from "../schema.ts";
import { sendPicture } from "./send-picture.ts";

export type PictureUpload = { key: string; file: File; problem: string | null };

/** Of one choice, paste or drop; and of the list below the text. */
const mostAtOnce = 20;
const mostListed = 50;

/** Whose text it is. */
type Place = { use: "lesson"; id: string } | { use: "page" };

/** The pictures of a Markdown field: uploads them one after the other, each with a line in its
 * place at once, and lists those that the text shows. */
export function usePictureUploads(
  field: RefObject<HTMLTextAreaElement | null>,
  place: Place,
  /** Of a field that React controls: changes of it are no events. */
  value?: string,
) {
  const [uploads, setUploads] = useState<PictureUpload[]>([]);
  const [placed, setPlaced] = useState<PlacedPicture[]>([]);
  const [arrived, setArrived] = useState<string | null>(null);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const look = useCallback(() => {
    const found = placedPictures(field.current?.value ?? "", mostListed);
    setPlaced((now) => (JSON.stringify(now) === JSON.stringify(found) ? now : found));
  }, [field]);
  useEffect(() => {
    const element = field.current;
    look();
    element?.addEventListener("input", look);
    return () => element?.removeEventListener("input", look);
  }, [field, look]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field has it
  useEffect(look, [look, value]);

  const forget = (key: string) => setUploads((now) => now.filter((one) => one.key !== key));

  async function send({ key, file }: PictureUpload) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...place, file })) form.set(name, value);
    const answer = await sendPicture<AddedPicture>(form);
    const waiting = waitingLine(file.name, key);
    if ("done" in answer) {
      replaceIn(field.current, waiting, answer.done.line);
      setArrived(file.name);
      return forget(key);
    }
    replaceIn(field.current, waiting, "");
    setUploads((now) =>
      now.map((one) => (one.key === key ? { ...one, problem: answer.problem } : one)),
    );
  }

  function add(files: readonly File[]) {
    for (const [index, file] of files.slice(0, mostAtOnce + 1).entries()) {
      const isPicture = file.type.startsWith("image/");
      let problem: string | null = isPicture ? null : pictureMessages.noPicture;
      if (index === mostAtOnce) problem = pictureMessages.atOnce(mostAtOnce);
      const upload = { key: v7(), file, problem };
      setUploads((now) => [...now, upload]);
      if (problem || !field.current) continue;
      applyEdit(
        field.current,
        block(waitingLine(file.name, upload.key), selectedIn(field.current)),
      );
      last.current = last.current.then(() => send(upload));
    }
  }

  function describe({ from, to, id }: PlacedPicture, alt: string) {
    const line = field.current?.value.slice(from, to) ?? "";
    // The text may be another one by now.
    if (placedPictures(line, 1)[0]?.id === id)
      replaceIn(field.current, line, pictureLine(id, alt), from);
  }

  function again(upload: PictureUpload) {
    forget(upload.key);
    add([upload.file]);
  }

  /** For the field itself: pictures that are pasted or dropped into it. */
  const onField = {
    onPaste(event: ClipboardEvent) {
      const { files, types } = event.clipboardData;
      // Word processors put a picture of the copied words beside them.
      if (files.length === 0 || types.includes("text/plain")) return;
      event.preventDefault();
      add([...files]);
    },
    onDrop(event: DragEvent<HTMLTextAreaElement>) {
      const { files } = event.dataTransfer;
      if (files.length === 0) return;
      event.preventDefault();
      const { currentTarget, clientX, clientY } = event;
      const at = document.caretPositionFromPoint?.(clientX, clientY);
      if (at?.offsetNode === currentTarget) currentTarget.setSelectionRange(at.offset, at.offset);
      add([...files]);
    },
    onDragOver(event: DragEvent) {
      if (event.dataTransfer.types.includes("Files")) event.preventDefault();
    },
  };

  const isUploading = uploads.some(({ problem }) => problem === null);
  return { uploads, placed, arrived, isUploading, place, add, again, forget, describe, onField };
}

/** Replaces a text where it still stands; the caret stays between the words that it is between. */
export function replaceIn(
  field: HTMLTextAreaElement | null,
  before: string,
  after: string,
  from = 0,
) {
  const at = field?.value.indexOf(before, from) ?? -1;
  if (!field || at < 0) return;
  const to = at + before.length;
  if (document.activeElement === field) {
    const moved = (place: number) => {
      if (place <= at) return place;
      return place >= to ? place + after.length - before.length : at + after.length;
    };
    const [start, end] = [moved(field.selectionStart), moved(field.selectionEnd)];
    return applyEdit(field, { from: at, to, insert: after, start, end });
  }
  field.setRangeText(after, at, to, "preserve");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
