import type { Content, Site } from "../../../content/fields.ts";
import { type ShareDrawing, type ShareName, shareDrawings } from "../../../content/share.ts";
import { unbroken } from "../../../content/site.ts";
import { coursePrefix } from "./rules.ts";

/** What the share picture of a page says, by its words as they are shown; null for a page that has
 * none of its own. */
export function shareCardOf(shown: Content, site: Site, drawing: ShareDrawing) {
  const { shareTitle, shareLine = "" } = shown;
  if (typeof shareTitle !== "string" || typeof shareLine !== "string") return null;
  return { brand: site.name, title: unbroken(site, shareTitle), line: shareLine, drawing };
}

/** Of courses that have no drawing of their own. */
const inTurn = ["path", "stones", "compass"] as const;

/** The drawing of a page by its name: 'home', 'course:ID'. `slug` is that of a course. */
export function drawingOf(name: string, slug = ""): ShareDrawing {
  if (name === "site") return shareDrawings.default;
  if (Object.hasOwn(shareDrawings, name)) return shareDrawings[name as ShareName];
  if (Object.hasOwn(shareDrawings, slug)) return shareDrawings[slug as ShareName];
  const last = name.startsWith(coursePrefix) ? name.charCodeAt(name.length - 1) : 0;
  return inTurn[last % inTurn.length] ?? "path";
}
