import { type FormEvent, type ReactNode, useId, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { longestAlt, maxPictureMegabytes, pictureToasts, pictureTypes } from "../messages.ts";
import type { ImageSource } from "../rules.ts";
import { sendPicture } from "./send-picture.ts";

type Use = keyof typeof pictureToasts;

type Props = {
  use: Use;
  /** Of the course or lesson. */
  id?: string;
  picture: (ImageSource & { alt?: string }) | null;
  title: string;
  children: ReactNode;
  level?: "h2" | "h3" | "h4";
  /** Instead of loading the page's data again. */
  onChanged?: () => unknown;
};

/** One picture that has a place of its own: choose, replace, describe and remove it. Saved at once,
 * apart from any form of its page; without scripts, plain forms do the same. */
export function PicturePanel({ use, id, picture, title, children, level, onChanged }: Props) {
  const { revalidate } = useRevalidator();
  const titleId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const Heading = level ?? "h2";
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const intent = String(data.get("intent"));
    if (busy) return;
    setBusy(intent);
    setProblem(null);
    const answer = await sendPicture(data);
    if ("done" in answer) {
      if (intent === "set") form.reset();
      await (onChanged ?? revalidate)();
      const said = { set: "set", remove: "removed", describe: "described" }[intent] ?? "set";
      const toast = (pictureToasts[use] as Record<string, object>)[said];
      document.dispatchEvent(new CustomEvent("toast", { detail: toast }));
      heading.current?.focus({ preventScroll: true });
    } else setProblem(answer.problem);
    setBusy(null);
  }
  const form = (intent: string, inside: ReactNode) => (
    <form
      method="post"
      action="/admin/pictures"
      encType="multipart/form-data"
      className="picture-form"
      onSubmit={submit}
    >
      <input type="hidden" name="use" value={use} />
      <input type="hidden" name="intent" value={intent} />
      {id && <input type="hidden" name="id" value={id} />}
      {inside}
    </form>
  );
  const described = (
    <Field
      label="What does it show?"
      optional
      hint="Read out to people who cannot see it. Left empty, it counts as decoration."
    >
      <Input name="alt" dense maxLength={longestAlt} defaultValue={picture?.alt ?? ""} />
    </Field>
  );
  return (
    <section aria-labelledby={titleId} className={`picture-panel picture-of-${use}`}>
      <Heading id={titleId} ref={heading} tabIndex={-1}>
        {title}
      </Heading>
      <p className="field-hint">{children}</p>
      {picture && (
        <img
          src={picture.src}
          srcSet={picture.srcSet}
          sizes="20rem"
          width={picture.width}
          height={picture.height}
          alt={picture.alt || title}
          className="picture-shown"
        />
      )}
      {picture &&
        use === "cover" &&
        form(
          "describe",
          <>
            {described}
            <Button type="submit" variant="outline" size="sm" busy={busy === "describe"}>
              Save description
            </Button>
          </>,
        )}
      {form(
        "set",
        <>
          <Field
            label={picture ? "Another picture" : "Choose a picture"}
            hint={`JPEG, PNG, WebP, AVIF or GIF, up to ${maxPictureMegabytes} MB.`}
            error={problem}
          >
            <Input type="file" name="file" accept={pictureTypes} required dense />
          </Field>
          {!picture && use === "cover" && described}
          {picture && use === "cover" && <input type="hidden" name="alt" value={picture.alt} />}
          <Button
            type="submit"
            variant="outline"
            size="sm"
            busy={busy === "set"}
            busyLabel="Uploading..."
          >
            {picture ? "Replace" : "Use this picture"}
          </Button>
        </>,
      )}
      {picture &&
        form(
          "remove",
          <Button type="submit" variant="ghost" size="sm" busy={busy === "remove"}>
            Remove
          </Button>,
        )}
    </section>
  );
}
