import type { Dice } from "../random.ts";
import { fieldNames, words } from "./words.ts";

/** A text, damaged: something put in, taken out, doubled, or in its place. */
export function mutateText(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  const word = dice.pick(words);
  return dice.pick([
    () => word,
    () => text.slice(0, at) + word + text.slice(at),
    () => text.slice(0, at) + text.slice(at + 1 + dice.below(8)),
    () => text.slice(0, at),
    () => text + text,
    () => text.toUpperCase(),
    () => text.slice(0, at) + String.fromCharCode(dice.below(0x300)) + text.slice(at + 1),
  ])();
}

export type Fields = [string, string][];

/** A form's fields, some of them other ones, missing, twice, or from another form. */
export function mutateFields(dice: Dice, fields: Fields): Fields {
  const changed = fields.flatMap(([name, value]): Fields => {
    if (dice.chance(0.6)) return [[name, value]];
    return dice.pick<() => Fields>([
      () => [],
      () => [[name, mutateText(dice, value)]],
      () => [[name, dice.pick(words)]],
      () => [
        [name, value],
        [name, dice.pick(words)],
      ],
      () => [[mutateText(dice, name), value]],
    ])();
  });
  const more = dice.chance(0.3) ? dice.below(4) : 0;
  const extra = dice.times(more, (): [string, string] => [dice.pick(fieldNames), dice.pick(words)]);
  return [...changed, ...extra];
}

/** Any value that JSON has, not too deep as a rule. */
export function anyJson(dice: Dice, depth = 0): unknown {
  if (depth > 3 || dice.chance(0.4))
    return dice.pick<unknown>([...words, 0, -1, 1.5, 1e300, true, null]);
  if (dice.chance(0.3)) return dice.times(dice.below(5), () => anyJson(dice, depth + 1));
  const names = dice.times(dice.below(5), () => dice.pick([...fieldNames, ...words]));
  return Object.fromEntries(names.map((name) => [name, anyJson(dice, depth + 1)]));
}

/** JSON with some of its values other ones, as text that may be broken. */
export function mutateJson(dice: Dice, value: unknown): string {
  const changed = changedIn(dice, value);
  const text = JSON.stringify(changed) ?? "";
  if (dice.chance(0.85)) return text;
  const deep = "[".repeat(20_000);
  return dice.pick([
    mutateText(dice, text),
    deep,
    `${'{"a":'.repeat(5000)}1`,
    `\ufeff${text}`,
    "{",
    "",
  ]);
}

function changedIn(dice: Dice, value: unknown): unknown {
  if (dice.chance(0.15)) return anyJson(dice);
  if (Array.isArray(value)) return value.map((one) => changedIn(dice, one));
  if (typeof value === "string") return dice.chance(0.2) ? mutateText(dice, value) : value;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, changedIn(dice, one)] as const);
  const more = dice.chance(0.2) ? [[dice.pick(fieldNames), anyJson(dice)] as const] : [];
  return Object.fromEntries([...entries.filter(() => dice.chance(0.95)), ...more]);
}

/** Bytes of a request, damaged anywhere. */
export function mutateBytes(dice: Dice, bytes: Buffer): Buffer {
  const made = Buffer.from(bytes);
  for (let n = dice.below(6); n > 0 && made.length > 0; n -= 1)
    made[dice.below(made.length)] = dice.below(256);
  if (dice.chance(0.2)) return made.subarray(0, dice.below(made.length + 1));
  if (!dice.chance(0.2)) return made;
  const at = dice.below(made.length + 1);
  const more = Buffer.from(dice.times(1 + dice.below(40), () => dice.below(256)));
  return Buffer.concat([made.subarray(0, at), more, made.subarray(at)]);
}
