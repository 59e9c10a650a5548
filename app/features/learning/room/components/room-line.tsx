import { journalPath } from "../../notebook/texts.ts";
import { nearlyFull } from "../texts.ts";

/** One quiet line while the room for words comes to its end; nothing before. */
export function RoomLine({ percent }: { percent: number | null }) {
  if (percent === null) return null;
  return (
    <p className="text-sm text-ink-soft">
      {nearlyFull(percent)}{" "}
      <a href={journalPath} target="_blank" rel="noreferrer">
        Make room in My journal
      </a>
    </p>
  );
}
