import { caniemail } from "caniemail";
import { expect, test } from "vitest";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { previewIssue } from "~/features/newsletter-issues/render-issue.server.ts";
import { newId } from "~/platform/db/ids.ts";
import { writeIssue } from "../../support/issue-sending.ts";
import { openForTests } from "../../support/open-for-tests.ts";
import { openTestServices } from "../../support/services.ts";

const kit = openForTests(openTestServices);

const everything = (picture: string) => `# A title

A paragraph with *emphasis*, **weight**, ~~an error~~ and a [link](https://example.org/).

## A part

- one
- two

1. first
2. second

> Somebody said this.

---

| A | B |
| - | - |
| 1 | 2 |

![The chair](picture:${picture})

[Write to me](/coaching "button")`;

/** Every mail program that readers have; of Outlook, the one of Windows that draws with Word's engine too. */
const clients = [...["apple-mail.*", "gmail.*", "outlook.*", "yahoo.*", "samsung-email.*"]];

/** What some programs leave out, and what the email is without it. */
const graceful: Record<string, string> = {
  "color-scheme CSS property": "it turns the colours round by itself, or stays light",
  "color-scheme meta tag": "the same",
  "@media": "it stays light",
  "<style> element": "all else is in the elements' own styles",
  "Class selector": "the same",
  "text-wrap": "lines break as they come",
  "target attribute": "links open where its links open",
  "display:none": "the line beside the subject stands above the text",
  opacity: "the same",
  overflow: "the same",
  "max-height property": "the same",
  "<body> element": "a table repeats the colour of the page",
  "border-radius": "corners are square",
  "aria-hidden attribute": "the dot is read out",
  "role attribute": "the layout is read out as a table",
  "word-break": "a very long word makes the text wider",
  "height property": "a picture keeps the height of its attribute",
};

test("an issue uses no HTML or CSS that a mail program needs and does not have", async () => {
  const { services } = kit;
  const pictureId = newId();
  const now = services.clock.now();
  await services.db.write
    .insertInto("pictures")
    .values({
      ...{ id: pictureId, hash: "a".repeat(32), width: 1600, height: 900, forEmail: true },
      ...{ widths: "[480,960]", createdAt: now },
    })
    .execute();
  const id = await writeIssue(services, { body: everything(pictureId) });
  const issue = await getIssue(services.db.read, id);
  const { html, text } = await previewIssue(services, issue, "Ada");
  const { issues } = caniemail({ clients: clients as never, html });
  const missing = new Map<string, Set<string>>();
  for (const [client, found] of issues.errors)
    for (const { title } of found)
      missing.set(title, (missing.get(title) ?? new Set()).add(client));
  const unexpected = [...missing].filter(([title]) => !(title in graceful));
  expect(unexpected.map(([title, of]) => `${title}: ${[...of].join(", ")}`)).toEqual([]);
  expect(text).toContain("[The chair]");
});
