import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";

/** A line of the finished weeks, and a dashed one to the dot of the week that is not over. */
export type LineChart = {
  width: number;
  height: number;
  baseline: number;
  finished: string;
  unfinished: string;
  dot: { x: number; y: number };
  /** Where the highest value stands, and which it is; null where the dot is it, or all is zero. */
  peak: { x: number; y: number; at: number; anchor: "start" | "middle" | "end" } | null;
};

const box = { width: 240, height: 76, top: 22, side: 6, bottom: 8 };

/** @param values at least two, the last of a week that is not over */
export function lineChart(values: readonly number[]): LineChart {
  const { width, height, top, side, bottom } = box;
  const last = values.length - 1;
  const most = Math.max(...values);
  const x = scaleLinear([0, last], [side, width - side]);
  // Money that went back in another week can make one less than nothing.
  const y = scaleLinear([Math.min(0, ...values), Math.max(most, 1)], [height - bottom, top]);
  const path = line<number>(
    (_, at) => round(x(at)),
    (value) => round(y(value)),
  );
  const between = line<[number, number]>();
  const place = (at: number): [number, number] => [round(x(at)), round(y(values[at] ?? 0))];
  const at = values.indexOf(most);
  const [peakX, peakY] = place(at);
  const anchor = at < 2 ? "start" : at > last - 2 ? "end" : "middle";
  const [dotX, dotY] = place(last);
  return {
    ...{ width, height, baseline: round(y(0)) },
    finished: path(values.slice(0, -1)) ?? "",
    unfinished: between([place(last - 1), place(last)]) ?? "",
    dot: { x: dotX, y: dotY },
    peak: most > 0 && at < last ? { x: peakX, y: peakY, at, anchor } : null,
  };
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Lengths of two bars a lesson, of a hundred. */
export function lessonBars(counts: readonly { opened: number; completed: number }[]) {
  const most = Math.max(1, ...counts.flatMap(({ opened, completed }) => [opened, completed]));
  const length = scaleLinear([0, most], [0, 100]);
  return counts.map(({ opened, completed }) => ({
    opened: round(length(opened)),
    completed: round(length(completed)),
  }));
}
