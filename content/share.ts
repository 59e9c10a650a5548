import type { Share } from "./schema.ts";

/**
 * The pictures that stand for pages where somebody shares them: what is written on each, and the
 * drawing beside it. They are made from this by `npm run pictures`, and lie in public/share.
 * `default` stands for every page without one of its own.
 */
export const share = {
  default: {
    title: "Grief coaching and courses",
    line: "For people who are living with loss.",
    drawing: "water",
  },
  home: {
    title: "When everything else has gone, one point to steer by",
    drawing: "horizon",
  },
  about: {
    title: "My brother died in November",
    line: "About Nora Hale",
    drawing: "kitchen",
  },
  courses: {
    title: "Grief courses, in your own time",
    line: "Short lessons, small practices.",
    drawing: "path",
  },
  "blue-dot-method": {
    title: "The Blue\u00a0Dot Method",
    line: "Six weeks, 10 minutes a day or less.",
    drawing: "compass",
  },
  "seven-days-of-calm": {
    title: "7 Days of Calm",
    line: "A Grief Reset Kit",
    drawing: "stones",
  },
  coaching: {
    title: "An hour in which you don’t have to be fine",
    line: "One-on-one grief coaching",
    drawing: "chairs",
  },
} satisfies Share;

export type ShareName = keyof typeof share;

/** In pixels; what Open Graph and Twitter show whole. */
export const shareSize = { width: 1200, height: 630 };

const drawings: Record<Share[string]["drawing"], string> = {
  water: "the line of the water, and a blue dot that rests on it",
  horizon: "hills, water, and a blue dot on the horizon",
  kitchen: "a kitchen in November, with a kettle on and a coat over a chair",
  path: "a path over a hill, and a blue dot above it",
  compass: "a compass whose needle has come to rest on a blue dot",
  stones: "seven stepping stones over the water, and a blue dot on the horizon",
  chairs: "two chairs side by side at the water, and a blue dot on the horizon",
};

/** What a picture says to somebody who cannot see it. */
export function shareAlt(name: ShareName): string {
  return cardAlt(share[name]);
}

/** The same of a picture of other words. */
export function cardAlt({ title, drawing }: Pick<Share[string], "title" | "drawing">): string {
  return `“${title}”, beside a drawing: ${drawings[drawing]}.`;
}
