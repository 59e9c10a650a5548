import { type Options, stringify } from "csv-stringify/sync";

// What a formula begins with, in ASCII and in fullwidth characters.
const sign = "[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]";

const blank = String.raw`[\s\p{Z}\p{Cc}\p{Cf}"]`;

const formula = new RegExp(`^${blank}*${sign}`, "u");
const formulaBehind = new RegExp(`^${sign}`);

// Programs that separate cells by semicolons, as in half of Europe, tabs or line breaks ignore this
// file's quotes. Taken with all blanks behind it, so that each is looked at once.
const separators = /[;\t\r\n\u0085\u2028\u2029]/gu;
const separatorAndBlanks = new RegExp(`${separators.source}${blank}*`, "gu");

function harmless(text: string): string {
  const inside = text.replaceAll(separatorAndBlanks, (run, at: number) =>
    formulaBehind.test(text.slice(at + run.length, at + run.length + 1))
      ? run.replaceAll(separators, "$&'")
      : run,
  );
  return formula.test(text) ? `'${inside}` : inside;
}

/** CSV for spreadsheets. An apostrophe disarms every text that could start a formula, also behind a
 * semicolon, tab or line break in a text, where some programs begin a cell. */
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
