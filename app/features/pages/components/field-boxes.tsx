import { useEffect, useId, useRef, useState } from "react";
import { ContentPictures } from "~/features/pictures/components/content-pictures.tsx";
import { sendPicture } from "~/features/pictures/components/send-picture.ts";
import { usePictureUploads } from "~/features/pictures/components/use-picture-uploads.ts";
import { pictureTypes } from "~/features/pictures/messages.ts";
import { lessonPicturePath } from "~/features/pictures/rules.ts";
import type { AddedPicture } from "~/features/pictures/schema.ts";
import { Field as Labelled } from "~/ui/field.tsx";
import { useHydrated } from "~/ui/hydrated.ts";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { formatByKey, MarkdownToolbar } from "~/ui/markdown-toolbar.tsx";
import type { Field } from "~content/fields.ts";

type BoxProps = {
  name: string;
  place: Field;
  value: string;
  problem: string | undefined;
  /** More or fewer pictures are on their way to it. */
  onUploading: (by: number) => void;
  /** `isTyped`: the form has had an event for it; true unless it is given. */
  onChange: (text: string, isTyped?: boolean) => void;
};

/** Where one place of a page is written. */
export function Box(props: BoxProps) {
  const { name, place, value, problem, onChange } = props;
  const { kind, label, max, optional = false, hint } = place;
  const left = max - value.length;
  const room = left < max / 10 && left >= 0 ? `${left} of ${max} characters left.` : undefined;
  if (kind === "text") return <TextBox {...props} hint={room} />;
  if (kind === "picture") return <PictureBox {...props} />;
  return (
    <Labelled label={label} optional={optional} error={problem} hint={room ?? hint}>
      {max > 120 && kind === "line" ? (
        <Textarea
          name={name}
          value={value}
          rows={2}
          spellCheck
          onChange={({ currentTarget }) => onChange(currentTarget.value.replaceAll("\n", " "))}
        />
      ) : (
        <Input
          name={name}
          value={value}
          inputMode={kind === "email" ? "email" : kind === "address" ? "url" : undefined}
          spellCheck={kind === "line"}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
          dense
        />
      )}
    </Labelled>
  );
}

/** Markdown, with its pictures below. */
function TextBox({ hint, ...props }: BoxProps & { hint: string | undefined }) {
  const { name, place, value, problem, onUploading, onChange } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const chooser = useRef<HTMLInputElement>(null);
  const pictures = usePictureUploads(field, { use: "page" }, value);
  useUploading(pictures.isUploading, onUploading);
  const { label, optional = false } = place;
  return (
    <>
      <Labelled label={label} id={id} optional={optional} error={problem} hint={hint ?? place.hint}>
        <div className="content-frame">
          <MarkdownToolbar
            field={field}
            controls={id}
            onPicture={() => chooser.current?.click()}
            isShort
          />
          <Textarea
            ref={field}
            name={name}
            value={value}
            rows={6}
            spellCheck
            onKeyDown={formatByKey}
            onChange={({ currentTarget }) => onChange(currentTarget.value)}
            {...pictures.onField}
          />
        </div>
      </Labelled>
      <ContentPictures of={pictures} chooser={chooser} />
    </>
  );
}

/** Counts a box in, as long as pictures are on their way to it. */
function useUploading(isUploading: boolean, onUploading: (by: number) => void) {
  useEffect(() => {
    if (!isUploading) return;
    onUploading(1);
    return () => onUploading(-1);
  }, [isUploading, onUploading]);
}

/** Another picture in the place of the one that is there. */
function PictureBox({ name, place, value, problem, onUploading, onChange }: BoxProps) {
  // What else is typed meanwhile stays.
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  }, [onChange]);
  const isHydrated = useHydrated();
  const [failed, setFailed] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  useUploading(isBusy, onUploading);
  const [, id] = /^picture:(.+)$/.exec(value) ?? [];
  async function send(file: File | undefined) {
    if (!file) return;
    setIsBusy(true);
    const form = new FormData();
    for (const [part, one] of Object.entries({ use: "page", file })) form.set(part, one);
    const answer = await sendPicture<AddedPicture>(form);
    setIsBusy(false);
    if ("done" in answer) change.current(`picture:${answer.done.id}`, false);
    setFailed("problem" in answer ? answer.problem : undefined);
  }
  if (!isHydrated)
    return (
      <Labelled label={place.label} error={problem}>
        <Input name={name} defaultValue={value} dense />
      </Labelled>
    );
  return (
    <div className="content-picture">
      {value && <img src={id ? lessonPicturePath(id, 480) : value} alt="" width={96} height={72} />}
      <input type="hidden" name={name} value={value} />
      <Labelled
        label={place.label}
        hint={isBusy ? "Uploading..." : "Choose another one. Upright pictures fit best."}
        error={failed ?? problem}
      >
        <Input
          type="file"
          accept={pictureTypes}
          dense
          disabled={isBusy}
          onChange={({ currentTarget }) => void send(currentTarget.files?.[0])}
        />
      </Labelled>
    </div>
  );
}
