import { createHash } from "node:crypto";
import type { Share } from "../../content/schema.ts";
import { site } from "../../content/site.ts";

/** Stands inside each picture: which words it was made from. A test finds pictures of other words. */
export function cardMark(card: Share[string]): string {
  const { title, line = "", drawing } = card;
  const words = JSON.stringify([site.name, title, line, drawing]);
  return createHash("sha256").update(words).digest("hex").slice(0, 16);
}
