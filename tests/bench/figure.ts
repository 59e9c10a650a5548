/** One line of the table. `met` is null where there is no bar, or nothing to measure with. */
export type Figure = {
  what: string;
  measured: string;
  bar: string;
  met: boolean | null;
};

/** A line for comparison. */
export const noBar = (what: string, measured: string): Figure => ({
  ...{ what, measured },
  ...{ bar: "no bar of its own", met: null },
});

export const ms = (value: number): string =>
  value < 10 ? `${value.toFixed(value < 1 ? 3 : 2)} ms` : `${value.toFixed(0)} ms`;
export const kb = (bytes: number): string => `${(bytes / 1024).toFixed(1)} KB`;
export const mb = (value: number): string => `${value.toFixed(0)} MB`;
export const times = (ratio: number): string => `${ratio.toFixed(2)} x`;
export const perSecond = (rate: number): string => `${Math.round(rate)}/s`;
