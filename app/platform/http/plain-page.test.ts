import { expect, test } from "vitest";
import { plainPage } from "./plain-page.ts";

test("a text that quotes what somebody typed is shown as it is", async () => {
  const html = await plainPage(400, "No <b>", "Too many \"<\" & '`' in it.").text();
  expect(html).toContain("<title>No &lt;b&gt;</title>");
  expect(html).toContain("<p>Too many &quot;&lt;&quot; &amp; &apos;`&apos; in it.</p>");
});
