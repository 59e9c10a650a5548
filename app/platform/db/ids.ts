import { v7, validate } from "uuid";

/** UUIDv7 as text, so that ids sort by creation time. */
export function newId(): string {
  return v7();
}

/** Whether a text can be an id, so that both engines agree on 'not found'. */
export function isId(text: unknown): text is string {
  return typeof text === "string" && validate(text);
}
