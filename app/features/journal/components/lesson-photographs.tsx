import { type SyntheticEvent, useEffect, useState } from "react";
import { photographUnreachable } from "../messages.ts";
import type { ShownPhotograph } from "../schema.ts";
import type { Begun } from "./photographs.tsx";

type Script = typeof import("./photographs.tsx");

const load = (): Promise<Script> => import("./photographs.tsx");

/** For the lessons after the first: what was chosen may wait in it. Never loaded on the server. */
let script: Script | null = null;

type Live = Script & { begun: Begun | null };

type Props = {
  userId: string;
  lessonId: string;
  photographs: ShownPhotograph[];
  html: string;
};

/** The photographs of a lesson in the player: plain fields, whose script is loaded with their use. */
export function LessonPhotographs({ html, ...of }: Props) {
  const [live, setLive] = useState<Live | null>(() => script && { ...script, begun: null });
  const [isWaiting, setIsWaiting] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    addEventListener("beforeunload", confirmBeforeUnload);
    return () => removeEventListener("beforeunload", confirmBeforeUnload);
  }, [isWaiting]);
  async function begin(begun: Begun) {
    try {
      script = await load();
    } catch {
      setIsWaiting(begun.file !== undefined);
      return addEventListener("online", () => void begin(begun), { once: true });
    }
    setIsWaiting(false);
    if (begun.file) script.queuePhotograph(of, begun.file);
    setLive({ ...script, begun });
  }
  const warm = () => void load().catch(() => {});
  // React gives no change event to a field that it has not made.
  const onInput = ({ target }: SyntheticEvent) => {
    const [file] = (target as HTMLInputElement).files ?? [];
    if (file) void begin({ file });
  };
  const onClick = (event: SyntheticEvent) => {
    const { name, value } = event.target as HTMLButtonElement;
    if (name !== "delete-photograph") return;
    event.preventDefault();
    void begin({ deleted: value });
  };
  if (live) return <live.Photographs {...of} begun={live.begun} />;
  return (
    <div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field and buttons inside are pressed */}
      <div
        {...{ onInput, onClick }}
        onFocus={warm}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: made by the server of the same parts
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <p role="status" className="mt-4 text-sm text-clay empty:hidden">
        {isWaiting && photographUnreachable}
      </p>
    </div>
  );
}

function confirmBeforeUnload(event: BeforeUnloadEvent) {
  event.preventDefault();
}
