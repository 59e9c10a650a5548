import { v7, validate } from "uuid";

/** A new row's id: UUIDv7 as text, so that ids sort by the time of their making. */
export function newId(): string {
  return v7();
}

/** Whether a text from outside can be an id at all (PostgreSQL and SQLite then agree on 'not found'). */
export function isId(text: unknown): text is string {
  return typeof text === "string" && validate(text);
}
