import { decode } from "./responses.ts";
import type { Node } from "./vocabulary.ts";

type Attributes = Record<string, string>;

/** The elements of a page with this name, as their attributes. React writes them all with quotes. */
export function elements(html: string, name: string): Attributes[] {
  const tags = html.matchAll(new RegExp(`<${name}((?:\\s+[\\w:-]+(?:="[^"]*")?)*)\\s*/?>`, "g"));
  return [...tags].map(([, attributes = ""]) => {
    const pairs = attributes.matchAll(/([\w:-]+)(?:="([^"]*)")?/g);
    return Object.fromEntries([...pairs].map(([, key = "", value = ""]) => [key, decode(value)]));
  });
}

/** What a page says about itself. A list is empty where the page is silent, and long where it repeats itself. */
export function headOf(html: string) {
  const metas = elements(html, "meta");
  const links = elements(html, "link");
  return {
    titles: [...html.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text = ""]) => decode(text)),
    /** Contents of the `<meta>` with this name or property. */
    meta: (name: string) =>
      metas
        .filter((meta) => meta.name === name || meta.property === name)
        .map(({ content = "" }) => content),
    /** Addresses of the `<link>` with this rel. */
    link: (rel: string) => links.filter((link) => link.rel === rel).map(({ href = "" }) => href),
    /** Every name and property, in order. */
    names: metas.map(({ name, property }) => name ?? property).filter((name) => name !== undefined),
  };
}

/** The things of schema.org that a page tells of. */
export function graphOf(html: string): Node[] {
  const scripts = html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g);
  return [...scripts].flatMap(([, json = ""]) => {
    const { "@context": context, "@graph": graph } = JSON.parse(json) as {
      "@context": string;
      "@graph": Node[];
    };
    if (context !== "https://schema.org") throw new Error(`another vocabulary: ${context}`);
    return graph;
  });
}
