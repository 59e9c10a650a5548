/** Bytes from `start` to `end`, both included. */
export type Range = { start: number; end: number };

/**
 * Reads a Range header (RFC 9110, 14.2) against a file of `size` bytes. Null means the
 * whole file: no header, a malformed one, or several ranges (which a server may ignore).
 */
export function parseRange(header: string | null, size: number): Range | null | "unsatisfiable" {
  const match = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (!match || (first === "" && last === "")) return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return null;
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size - 1 : Math.min(Number(last), size - 1) };
}
