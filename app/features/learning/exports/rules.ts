/** A cell of a file for spreadsheets. */
export type Cell = string | number | boolean | Date | null;

/** As it stands in the file: times in UTC, ISO 8601; yes and no in words. */
export function written(cell: Cell): string | number {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return cell;
}

/** 19700 cents are '197.00' dollars: without a sign, so that a spreadsheet can count with it. */
export const dollars = (cents: number): string => (cents / 100).toFixed(2);
