import {
  AudioLines,
  Bold,
  Heading,
  Image,
  Italic,
  Link,
  List,
  ListOrdered,
  Minus,
  Quote,
  RectangleHorizontal,
} from "lucide";
import { type KeyboardEvent, type RefObject, useState } from "react";
import { type Drawing, Icon } from "~/ui/icon.tsx";
import { type Edit, type Format, format } from "./markdown-format.ts";

type Tool = { what: Format | "picture" | "recording"; label: string; icon: Drawing; key?: string };

const tools: Tool[] = [
  { what: "heading", label: "Heading", icon: Heading },
  { what: "bold", label: "Bold", icon: Bold, key: "b" },
  { what: "italic", label: "Italic", icon: Italic, key: "i" },
  { what: "link", label: "Link", icon: Link, key: "k" },
  { what: "picture", label: "Picture", icon: Image },
  { what: "recording", label: "Recording", icon: AudioLines },
  { what: "quote", label: "Quote", icon: Quote },
  { what: "bullets", label: "List", icon: List },
  { what: "numbers", label: "Numbered list", icon: ListOrdered },
  { what: "rule", label: "Line across the page", icon: Minus },
  { what: "button", label: "Button", icon: RectangleHorizontal },
];

export function selectedIn({ value: text, selectionStart, selectionEnd }: HTMLTextAreaElement) {
  return { text, start: selectionStart, end: selectionEnd };
}

/** Changes a field as typing would, so that the browser can undo it. */
export function applyEdit(field: HTMLTextAreaElement, edit: Edit): void {
  field.focus();
  field.setSelectionRange(edit.from, edit.to);
  // Deprecated, but the only way that preserves the browser's undo history.
  const isNothing = edit.from === edit.to && edit.insert === "";
  const isDone =
    isNothing || document.execCommand(edit.insert ? "insertText" : "delete", false, edit.insert);
  if (!isDone) {
    field.setRangeText(edit.insert, edit.from, edit.to, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
  field.setSelectionRange(edit.start, edit.end);
}

/** Handles Ctrl or Cmd with B, I and K. @returns whether it was one of them */
export function formatByKey(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  const tool = tools.find(({ key }) => key === event.key.toLowerCase());
  if (!tool || tool.what === "picture" || tool.what === "recording") return false;
  event.preventDefault();
  applyEdit(event.currentTarget, format(tool.what, selectedIn(event.currentTarget)));
  return true;
}

type Props = {
  field: RefObject<HTMLTextAreaElement | null>;
  controls: string;
  /** Without it there is no button for pictures. */
  onPicture?: () => void;
  /** As `onPicture`. */
  onRecording?: () => void;
  /** Leaves out headings and lines across the page. */
  isShort?: boolean;
  /** Links can be shown as buttons here. */
  withButton?: boolean;
};

/** Buttons above a Markdown field: one tab stop, arrow keys between them (ARIA, toolbar). */
export function MarkdownToolbar(props: Props) {
  const { field, controls, onPicture, onRecording, isShort, withButton } = props;
  const absent = new Set([
    ...(onPicture ? [] : ["picture"]),
    ...(onRecording ? [] : ["recording"]),
    ...(isShort ? ["heading", "rule"] : []),
    ...(withButton ? [] : ["button"]),
  ]);
  const shown = tools.filter(({ what }) => !absent.has(what));
  const [stop, setStop] = useState(0);

  function use(what: Tool["what"]) {
    if (what === "picture") return onPicture?.();
    if (what === "recording") return onRecording?.();
    if (field.current) applyEdit(field.current, format(what, selectedIn(field.current)));
  }

  function walk(event: KeyboardEvent<HTMLDivElement>) {
    const last = shown.length - 1;
    const to = {
      ArrowRight: stop === last ? 0 : stop + 1,
      ArrowLeft: stop === 0 ? last : stop - 1,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setStop(to);
    event.currentTarget.querySelectorAll("button")[to]?.focus();
  }

  return (
    <div
      role="toolbar"
      aria-label="Formatting"
      aria-controls={controls}
      className="markdown-toolbar"
      onKeyDown={walk}
    >
      {shown.map(({ what, label, icon, key }, index) => (
        <button
          key={what}
          type="button"
          aria-label={label}
          title={key ? `${label} (Ctrl+${key.toUpperCase()})` : label}
          aria-keyshortcuts={
            key ? `Control+${key.toUpperCase()} Meta+${key.toUpperCase()}` : undefined
          }
          tabIndex={index === stop ? 0 : -1}
          onFocus={() => setStop(index)}
          onClick={() => use(what)}
        >
          <Icon of={icon} />
        </button>
      ))}
    </div>
  );
}
