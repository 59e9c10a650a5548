import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { v7 } from "uuid";
import { sendPicture } from "~/features/pictures/components/send-picture.ts";
import { pictureMessages } from "~/features/pictures/messages.ts";
import {
  type PlacedPicture,
  pictureLine,
  placedPictures,
  waitingLine,
} from "~/features/pictures/rules.ts";
import type { AddedPicture } from "~/features/pictures/schema.ts";
import { block } from "~/ui/markdown-format.ts";
import { applyEdit, selectedIn } from "~/ui/markdown-toolbar.tsx";

export type PictureUpload = { key: string; file: File; problem: string | null };

/** Of one choice, paste or drop; and of the list below the text. */
const mostAtOnce = 20;
const mostListed = 50;

/** The pictures of a Markdown field: uploads them one after the other, each with a line in its
 * place at once, and lists those that the text shows. */
export function usePictureUploads(field: RefObject<HTMLTextAreaElement | null>, lessonId: string) {
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

  const forget = (key: string) => setUploads((now) => now.filter((one) => one.key !== key));

  async function send({ key, file }: PictureUpload) {
    const form = new FormData();
    for (const [name, value] of Object.entries({ use: "lesson", id: lessonId, file }))
      form.set(name, value);
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
    const line = field.current?.value.slice(from, to);
    if (line) replaceIn(field.current, line, pictureLine(id, alt), from);
  }

  function again(upload: PictureUpload) {
    forget(upload.key);
    add([upload.file]);
  }

  return { uploads, placed, arrived, add, again, forget, describe };
}

/** Replaces a text where it still stands; the caret stays between the words that it is between. */
function replaceIn(field: HTMLTextAreaElement | null, before: string, after: string, from = 0) {
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
