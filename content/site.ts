import type { Site } from "./fields.ts";

/** The last link of every footer: help stands in the same place everywhere (WCAG 3.2.6). */
export const writeToMe = ({ email, writeLabel }: Site) => ({
  href: `mailto:${email}`,
  label: writeLabel,
});

/** Numbers for people in danger, from content/help: linked from every footer. */
export const helpNow = { href: "/help", label: "Help now" };

/** Page title format: '{title} | site name' (spec 2, Page metadata). */
export function pageTitle({ name }: Pick<Site, "name">, title: string): string {
  return `${title} | ${name}`;
}

/** A text in which the site's name is never broken over two lines. */
export function unbroken({ name }: Pick<Site, "name">, text: string): string {
  return text.replaceAll(name, name.replaceAll(" ", "\u00a0"));
}
