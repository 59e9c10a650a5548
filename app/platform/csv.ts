import { type Options, stringify } from "csv-stringify/sync";

/** With what a formula begins, in letters of usual width and of that of Chinese ones. */
const sign = "[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]";

/** What readers see nothing of: spaces and signs of Unicode that have no ink, and quotation marks. */
const blank = String.raw`[\s\p{Z}\p{Cc}\p{Cf}"]`;

const formula = new RegExp(`^${blank}*${sign}`, "u");
const formulaBehind = new RegExp(`^${sign}`);

/**
 * What separates cells or lines: a program that takes semicolons, as in half of Europe, tabs or line
 * breaks for that reads past the quotes of this file. Taken with all blanks behind it, so that each
 * is looked at once.
 */
const separators = /[;\t\r\n\u0085\u2028\u2029]/gu;
const separatorAndBlanks = new RegExp(`${separators.source}${blank}*`, "gu");

/** A text with an apostrophe before whatever a spreadsheet could calculate. */
function harmless(text: string): string {
  const inside = text.replaceAll(separatorAndBlanks, (run, at: number) =>
    formulaBehind.test(text.slice(at + run.length, at + run.length + 1))
      ? run.replaceAll(separators, "$&'")
      : run,
  );
  return formula.test(text) ? `'${inside}` : inside;
}

/**
 * Rows as CSV for spreadsheets, which calculate nothing of what people have written: a text that
 * begins with =, +, -, @, a tab or a carriage return, or with blanks and one of these, has an
 * apostrophe in front, and so has what would begin like that in a program whose cells are separated
 * by semicolons, tabs or line breaks.
 */
export function asCsv(
  rows: readonly unknown[],
  options: Pick<Options, "bom" | "columns" | "header" | "record_delimiter"> = {},
): string {
  return stringify([...rows], {
    ...options,
    escape_formulas: true,
    cast: { string: harmless },
  });
}
