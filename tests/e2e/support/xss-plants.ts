import { expect, type Page } from "@playwright/test";
import { attacks, lineAttacks, marked } from "../../support/xss.ts";
import type { Detector } from "./xss-detector.ts";

/** What was put where: each text once, and with a number of its own. */
export type Plants = ReturnType<typeof startPlanting>;

const squeezed = (text: string) => text.replaceAll(/\s+/g, " ").trim();

/** Deals the whole corpus out, one attack after the other, to whatever field asks. */
export function startPlanting() {
  const planted = new Map<string, string[]>();
  const fields = new Map<number, string>();
  let count = 0;

  function note(field: string, text: string): string {
    planted.set(field, [...(planted.get(field) ?? []), squeezed(text)]);
    fields.set(count, field);
    return text;
  }
  const line = (attack: string, mark: number) => `${marked(attack, mark)} [${mark}]`;

  return {
    /** The next attack in turn that is no longer than the field may be, in one line. */
    one(field: string, longest = 200): string {
      for (;;) {
        count += 1;
        const text = line(lineAttacks[count % lineAttacks.length] ?? "", count);
        if (text.length <= longest) return note(field, text);
      }
    },
    /** Every attack of the corpus, each in one line. */
    all(field: string): string[] {
      return lineAttacks.map((attack) => {
        count += 1;
        return note(field, line(attack, count));
      });
    },
    /** The next attack in turn as a Markdown text of its own; on the page stands its number. */
    text(field: string): string {
      count += 1;
      note(field, `[${count}]`);
      return `[${count}]\n\n${marked(attacks[count % attacks.length] ?? "", count)}`;
    },
    /** Every attack of the corpus as such a text. */
    texts(field: string): string[] {
      return attacks.map(() => this.text(field));
    },
    /** For what no field takes, and was refused. */
    stranger(attack: string): string {
      count += 1;
      return line(attack, count);
    },
    /** A finding, with the field that its attack stands in. */
    explain(finding: string): string {
      const [, mark] = /ss\((\d+)\)/.exec(finding) ?? [];
      return mark ? `${fields.get(Number(mark)) ?? "a refused text"}: ${finding}` : finding;
    },
    of: (field: string): string[] => planted.get(field) ?? [],
  };
}

/** Everything that a page says: its text, what stands in its fields, and its title. */
async function wordsOf(page: Page): Promise<string> {
  const words = await page.evaluate(() => {
    const fields = [...document.querySelectorAll("input, textarea")] as HTMLInputElement[];
    const typed = fields.flatMap(({ value, placeholder }) => [value, placeholder]);
    const text = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT, (node) =>
      node.parentElement?.closest("script, template") ? 2 : 1,
    );
    const found = [document.title, ...typed];
    // Letter by letter: text that React has put into several nodes reads as one.
    let block: Element | null | undefined;
    for (let node = text.nextNode(); node; node = text.nextNode()) {
      if (node.parentElement === block) found[found.length - 1] += node.nodeValue ?? "";
      else found.push(node.nodeValue ?? "");
      block = node.parentElement;
    }
    return found.join("\n");
  });
  return squeezed(words);
}

/** At least one text of each of these fields stands on the page whole, to the letter. */
async function expectShown(page: Page, plants: Plants, fields: string[]): Promise<void> {
  for (const field of fields) {
    const texts = plants.of(field);
    expect(texts.length, `texts planted as ${field}`).toBeGreaterThan(0);
    await expect
      .poll(
        async () => {
          const words = await wordsOf(page);
          return texts.some((text) => words.includes(text));
        },
        { message: `no ${field} is to be read on ${page.url()}` },
      )
      .toBe(true);
  }
}

type Seen = { page: Page; plants: Plants; detector: Detector };

/** Opens a page, waits for what it is to show, and looks for what it must not have. */
export async function visit(seen: Seen, path: string, fields: string[]): Promise<void> {
  await seen.page.goto(path);
  await expectHarmless(seen, fields);
}

/** The same for a page as it stands now. */
export async function expectHarmless(seen: Seen, fields: string[] = []): Promise<void> {
  const { page, plants, detector } = seen;
  await expectShown(page, plants, fields);
  const found = [...detector.noticed, ...(await detector.dangers(page))];
  expect(found.map(plants.explain)).toEqual([]);
}
