import { type Options, stringify } from "csv-stringify/sync";

/**
 * A separator of cells or lines after which a spreadsheet would find a formula: those that take
 * semicolons for separators, as in half of Europe, read past the quotes of this file.
 */
const formulaInside = /([;\t\r\n])(?=["\s]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/**
 * Rows as CSV for spreadsheets, which calculate nothing of what people have written: a text that
 * begins with =, +, -, @, a tab or a carriage return has an apostrophe in front, and so has what would
 * begin like that in a program whose cells are separated by semicolons, tabs or line breaks.
 */
export function asCsv(
  rows: readonly unknown[],
  options: Pick<Options, "bom" | "columns" | "header" | "record_delimiter"> = {},
): string {
  return stringify([...rows], {
    ...options,
    escape_formulas: true,
    cast: { string: (text) => text.replaceAll(formulaInside, "$1'") },
  });
}
