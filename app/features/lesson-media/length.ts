// Apart from rules.ts, whose texts of uploads the player's scripts have no room for.

/** A length in ms as '3:07' or '1:02:03'. */
export function lengthInWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  const end = pad(seconds % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${end}` : `${minutes}:${end}`;
}
