import { ArrowDown, ArrowUp, GripVertical } from "lucide";
import { type DragEvent, type SubmitEvent, useState } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Input } from "~/ui/inputs.tsx";
import { useUnsaved } from "~/ui/unsaved.ts";
import { fileMessages, longestFileTitle } from "../file-messages.ts";
import type { LessonFile } from "../files.server.ts";
import { fileFacts, moveBefore } from "../files.ts";
import { unusedMediaDays } from "../messages.ts";
import { RemoveDialog } from "./ask-dialog.tsx";
import { usePost } from "./ask-site.ts";

type ListProps = { lessonId: string; files: LessonFile[]; refresh: () => Promise<boolean> };

/** A lesson's downloads in their order: renamed in their place, moved by buttons or by mouse. */
export function FileList({ lessonId, files, refresh }: ListProps) {
  const action = `/admin/lessons/${lessonId}/files`;
  const { error, post } = usePost(action);
  const [said, setSaid] = useState("");
  const [held, setHeld] = useState<string | null>(null);
  const [order, setOrder] = useState<{ of: LessonFile[]; ids: string[] } | null>(null);
  const ids = order?.of === files ? order.ids : files.map(({ id }) => id);
  const shown = ids.flatMap((id) => files.find((file) => file.id === id) ?? []);

  async function move(id: string, beforeId: string) {
    const next = moveBefore(ids, { id, beforeId });
    if (!next || String(next) === String(ids)) return;
    setOrder({ of: files, ids: next });
    const answer = await post({ intent: "move", file: id, beforeId });
    if (!answer?.ok) setOrder(null);
    const title = files.find((file) => file.id === id)?.title ?? "";
    setSaid(answer?.ok ? fileMessages.placed(title, next.indexOf(id) + 1, next.length) : "");
    await refresh();
  }
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {files.length === 0 && <p className="media-hint">{fileMessages.none}</p>}
      <ol className="lesson-files">
        {shown.map((file, index) => (
          <li
            key={file.id}
            data-held={held === file.id || undefined}
            onDragOver={(event) => held && event.preventDefault()}
            onDrop={(event) => {
              if (!held) return;
              event.preventDefault();
              const isBelow = ids.indexOf(held) < index;
              void move(held, (isBelow ? ids[index + 1] : file.id) ?? "");
            }}
          >
            <FileRow
              {...{ lessonId, file, refresh }}
              place={{
                up: ids[index - 1],
                down: index + 1 < ids.length ? (ids[index + 2] ?? "") : undefined,
              }}
              onMove={(beforeId) => void move(file.id, beforeId)}
              onHeld={setHeld}
              onSaid={setSaid}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

type RowProps = Pick<ListProps, "lessonId" | "refresh"> & {
  file: LessonFile;
  /** Before which file a step leads; undefined where there is none. */
  place: Record<"up" | "down", string | undefined>;
  onMove: (beforeId: string) => void;
  onHeld: (id: string | null) => void;
  onSaid: (words: string) => void;
};

function FileRow({ lessonId, file, place, refresh, onMove, onHeld, onSaid }: RowProps) {
  const { id, title } = file;
  const action = `/admin/lessons/${lessonId}/files`;
  const hold = (event: DragEvent<HTMLElement>) => {
    const row = event.currentTarget.closest("li");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", title);
    if (row) event.dataTransfer.setDragImage(row, 12, 24);
    onHeld(id);
  };
  return (
    <>
      <TitleForm {...{ action, file, refresh, onSaid }} />
      <p className="media-facts">
        {fileFacts(file)} · {file.fileName}
      </p>
      <div className="media-actions">
        <span
          className="lesson-file-handle needs-scripts"
          aria-hidden="true"
          draggable
          onDragStart={hold}
          onDragEnd={() => onHeld(null)}
        >
          <Icon of={GripVertical} />
        </span>
        {(["up", "down"] as const).map((way) => (
          <form
            key={way}
            method="post"
            action={action}
            onSubmit={(event) => {
              event.preventDefault();
              if (place[way] !== undefined) onMove(place[way]);
            }}
          >
            <input type="hidden" name="intent" value="move" />
            <input type="hidden" name="file" value={id} />
            <input type="hidden" name="beforeId" value={place[way] ?? (way === "up" ? id : "")} />
            <Button
              type="submit"
              variant="ghost"
              size="icon"
              aria-label={`Move ${title} ${way}`}
              aria-disabled={place[way] === undefined || undefined}
            >
              <Icon of={way === "up" ? ArrowUp : ArrowDown} />
            </Button>
          </form>
        ))}
        <ButtonLink
          variant="link"
          size="sm"
          href={`${action}?file=${id}`}
          aria-label={`Download ${title}`}
        >
          Download
        </ButtonLink>
        <DialogButton
          dialog={`remove-${id}`}
          variant="link"
          size="sm"
          aria-label={`Remove ${title}`}
        >
          Remove
        </DialogButton>
      </div>
      <RemoveDialog
        id={`remove-${id}`}
        title={`Remove “${title}”?`}
        text={`Students no longer find it in this lesson. The file is kept for ${unusedMediaDays} days, then it is deleted.`}
        action={action}
        fields={{ intent: "remove", file: id }}
        yes="Remove"
        onRemoved={() => {
          onSaid(`${fileMessages.removed.title}.`);
          return refresh();
        }}
        refresh={refresh}
      />
    </>
  );
}

type TitleProps = Pick<RowProps, "file" | "refresh" | "onSaid"> & { action: string };

/** The title in its place. `seen`: the one that was there when its author began to type, null for the
 * one that is there now. */
function TitleForm({ action, file, refresh, onSaid }: TitleProps) {
  const { id, title } = file;
  const { busy, error, setError, post } = usePost(action);
  const [typed, setTyped] = useState<{ title: string; seen: string | null } | null>(null);
  useUnsaved(() => typed !== null && typed.title !== title);

  async function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const sent = typed ?? { title, seen: title };
    const answer = await post({
      intent: "rename",
      file: id,
      title: sent.title,
      before: sent.seen ?? title,
    });
    if (!answer) return;
    const isFresh = await refresh();
    if (answer.ok) {
      setTyped((now) => (now?.title === sent.title ? null : now));
      onSaid(`${fileMessages.saved.title}.`);
    } else if (answer.isConflict && isFresh) setTyped((now) => now && { ...now, seen: null });
  }
  return (
    <form method="post" action={action} className="lesson-file-title" onSubmit={save}>
      <input type="hidden" name="intent" value="rename" />
      <input type="hidden" name="file" value={id} />
      <input type="hidden" name="before" value={title} />
      <Field label="Title" error={error}>
        <Input
          name="title"
          required
          maxLength={longestFileTitle}
          value={typed?.title ?? title}
          onChange={({ currentTarget }) => {
            setError(null);
            setTyped((now) => ({ title: currentTarget.value, seen: now ? now.seen : title }));
          }}
        />
      </Field>
      <Button type="submit" variant="outline" size="sm" busy={busy} busyLabel="Saving">
        Save title
      </Button>
    </form>
  );
}
