/** What stands beside the words of a share picture. */
export type ShareDrawing =
  | "water"
  | "horizon"
  | "kitchen"
  | "path"
  | "compass"
  | "stones"
  | "chairs";

/**
 * The drawing of each page's share picture. For the words of the first edition (content/pages),
 * `npm run pictures` draws them into public/share; for words of the coach's own, the site does.
 * `default` stands for every page without one of its own.
 */
export const shareDrawings = {
  default: "water",
  home: "horizon",
  about: "kitchen",
  courses: "path",
  coaching: "chairs",
  "blue-dot-method": "compass",
  "seven-days-of-calm": "stones",
} as const satisfies Record<string, ShareDrawing>;

export type ShareName = keyof typeof shareDrawings;

/** In pixels; what Open Graph and Twitter show whole. */
export const shareSize = { width: 1200, height: 630 };

const drawings: Record<ShareDrawing, string> = {
  water: "the line of the water, and a blue dot that rests on it",
  horizon: "hills, water, and a blue dot on the horizon",
  kitchen: "a kitchen in November, with a kettle on and a coat over a chair",
  path: "a path over a hill, and a blue dot above it",
  compass: "a compass whose needle has come to rest on a blue dot",
  stones: "seven stepping stones over the water, and a blue dot on the horizon",
  chairs: "two chairs side by side at the water, and a blue dot on the horizon",
};

/** What a picture says to somebody who cannot see it. */
export function cardAlt({ title, drawing }: { title: string; drawing: ShareDrawing }): string {
  return `“${title}”, beside a drawing: ${drawings[drawing]}.`;
}
