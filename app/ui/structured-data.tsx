import type { Thing } from "schema-dts";

/** What a page is about, for search engines: things of schema.org, as JSON-LD. */
export function StructuredData({ graph }: { graph: readonly Thing[] }) {
  // A title may hold anything; nothing in it may end the element, or a line of it.
  const json = JSON.stringify({ "@context": "https://schema.org", "@graph": graph })
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: data, not a script; escaped above
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
