import { type RefObject, type UIEvent, useEffect, useId, useRef, useState } from "react";
import { ContentPictures } from "~/features/pictures/components/content-pictures.tsx";
import { usePictureUploads } from "~/features/pictures/components/use-picture-uploads.ts";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Textarea } from "~/ui/inputs.tsx";
import { formatByKey, MarkdownToolbar } from "~/ui/markdown-toolbar.tsx";
import { formMessages, maxContent } from "../messages.ts";
import { PreviewPane } from "./lesson-preview.tsx";

type Props = {
  form: RefObject<HTMLFormElement | null>;
  lessonId: string;
  title: string;
  defaultValue: string;
  /** `defaultValue` as rendered when it was saved. */
  html: string;
  error: string | undefined;
  /** Receives whether pictures are on their way, which a save would leave out. */
  onUploading: (isUploading: boolean) => void;
};

const nearlyFull = maxContent * 0.9;

/** A lesson's text and its preview: side by side, or one at a time on a phone. */
export function ContentEditor(props: Props) {
  const { form, lessonId, title, defaultValue, html, error, onUploading } = props;
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const pane = useRef<HTMLElement>(null);
  const [view, setView] = useState<"write" | "preview">("write");
  const [length, setLength] = useState(defaultValue.length);
  const count = length.toLocaleString("en-US");
  const room = maxContent.toLocaleString("en-US");
  const pictures = usePictureUploads(field, { use: "lesson", id: lessonId });
  const { isUploading } = pictures;
  useEffect(() => onUploading(isUploading), [onUploading, isUploading]);
  const chooser = useRef<HTMLInputElement>(null);

  /** Scrolls the preview along with the text. */
  function follow({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: UIEvent) {
    const other = pane.current;
    const part = scrollTop / Math.max(1, scrollHeight - clientHeight);
    if (other) other.scrollTop = part * (other.scrollHeight - other.clientHeight);
  }

  return (
    <div className="content-editor" data-view={view}>
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
      <div className="content-write">
        <Field
          label="Text"
          id={id}
          error={length > maxContent ? formMessages.longContent : error}
          hint={
            length > nearlyFull
              ? `${count} of ${room} characters.`
              : "Leave an empty line between paragraphs. The buttons add the signs that make headings, lists and links (Markdown). Pictures can be pasted, or dropped into the text."
          }
        >
          <div className="content-frame">
            <MarkdownToolbar
              field={field}
              controls={id}
              onPicture={() => chooser.current?.click()}
            />
            <Textarea
              ref={field}
              name="content"
              defaultValue={defaultValue}
              className="content-field"
              spellCheck
              onKeyDown={formatByKey}
              onInput={({ currentTarget: { textLength } }) =>
                setLength((now) => (Math.max(now, textLength) > nearlyFull ? textLength : now))
              }
              onScroll={follow}
              {...pictures.onField}
            />
          </div>
        </Field>
        <ContentPictures of={pictures} chooser={chooser} />
      </div>
      <PreviewPane form={form} title={title} html={html} pane={pane} />
    </div>
  );
}
