import { decode } from "./responses.ts";

/** Elements that stand within a line. */
const inline = /^<\/?(a|b|br|em|i|small|span|strong)[\s/>]/;

/**
 * The words of a piece of HTML, a line a block: '## A heading', 'See [this page](/address).'. Blanks
 * and fixed spaces are one space; drawings and scripts are left out.
 */
export function linesOf(html: string): string[] {
  const text = html
    .replaceAll(/<(script|style|svg)[\s>][\s\S]*?<\/\1>|<!--[\s\S]*?-->/g, "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/<h([1-6])[^>]*>/g, (_, level: string) => `\n${"#".repeat(Number(level))} `)
    .replaceAll(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g, "[$2]($1)")
    .replaceAll(/<[^>]*>/g, (tag) => (inline.test(tag) ? "" : "\n"));
  return decode(text)
    .split("\n")
    .map((line) => line.replaceAll(/\s+/g, " ").trim())
    .filter((line) => !/^#*$/.test(line));
}

/** The element of a page with this opening tag, whole; it must not stand in one of its own kind. */
export function partOf(html: string, opening: RegExp): string {
  const at = html.search(opening);
  const name = /^<(\w+)/.exec(html.slice(at))?.[1];
  return at < 0 ? "" : html.slice(at, html.indexOf(`</${name}>`, at));
}
