import { type RefObject, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { longestAlt, pictureMessages, pictureTypes } from "../messages.ts";
import { lessonPicturePath, oneLine, type PlacedPicture } from "../rules.ts";
import type { PictureUpload, usePictureUploads } from "./use-picture-uploads.ts";

type Props = {
  of: ReturnType<typeof usePictureUploads>;
  /** Asks for files when it is clicked. */
  chooser: RefObject<HTMLInputElement | null>;
};

/** Below a text: what each of its pictures shows, and what becomes of new ones. */
export function ContentPictures({ of, chooser }: Props) {
  const { uploads, placed, arrived } = of;
  return (
    <div className="content-pictures">
      <input
        ref={chooser}
        type="file"
        accept={pictureTypes}
        multiple
        hidden
        onChange={({ currentTarget }) => {
          of.add([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      <p aria-live="polite" className="sr-only">
        {arrived && `${arrived} is in the text. Say below what it shows.`}
      </p>
      {(uploads.length > 0 || placed.length > 0) && <h2>Pictures in this text</h2>}
      <ul>
        {uploads.map((upload) => (
          <li key={upload.key}>
            <UploadStatus upload={upload} of={of} />
          </li>
        ))}
        {placed.map((picture, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text may show one picture twice
          <li key={`${picture.id} ${index}`}>
            <PlacedPictureField
              picture={picture}
              number={index + 1}
              isNeeded={of.place.use === "page"}
              onAlt={of.describe}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

type UploadProps = { upload: PictureUpload; of: ReturnType<typeof usePictureUploads> };

function UploadStatus({ upload, of }: UploadProps) {
  const { file, problem, key } = upload;
  if (!problem) return <p role="status">Uploading {file.name}...</p>;
  return (
    <div className="content-picture-problem">
      <p role="alert">
        <strong>{file.name}</strong>: {problem}
      </p>
      {problem !== pictureMessages.noPicture && (
        <Button variant="outline" size="sm" onClick={() => of.again(upload)}>
          Try again
        </Button>
      )}
      <Button variant="ghost" size="sm" onClick={() => of.forget(key)}>
        Dismiss
      </Button>
    </div>
  );
}

const decoration = " Left empty, it counts as decoration.";

type PlacedProps = {
  picture: PlacedPicture;
  number: number;
  /** It cannot be left without a description. */
  isNeeded: boolean;
  onAlt: (picture: PlacedPicture, alt: string) => void;
};

function PlacedPictureField({ picture, number, isNeeded, onAlt }: PlacedProps) {
  const [typed, setTyped] = useState(picture.alt);
  // The text has it on one line without blanks at its ends; it may have been changed there.
  const alt = oneLine(typed) === picture.alt ? typed : picture.alt;
  return (
    <div className="content-picture">
      <img src={lessonPicturePath(picture.id, 480)} alt="" width={96} height={72} loading="lazy" />
      <Field
        label={`What does picture ${number} show?`}
        hint={
          picture.alt
            ? undefined
            : `Read out to people who cannot see it.${isNeeded ? "" : decoration}`
        }
      >
        <Input
          dense
          maxLength={longestAlt}
          value={alt}
          onChange={({ currentTarget: { value } }) => {
            setTyped(value);
            onAlt(picture, value);
          }}
        />
      </Field>
    </div>
  );
}
