import { decode } from "libqp";
import { expect, test } from "vitest";
import { emailTemplate, fillTemplate, slot } from "./template.ts";

test("the emails of many readers share their bytes, and no line begins with a dot", () => {
  const css = Array.from({ length: 200 }, (_, n) => `.part-${n}{margin:0}\n.`).join("");
  const html = `<style>${css}</style><p>${slot("greeting")}</p><p>It is “autumn”.</p>`;
  const template = emailTemplate({ html, text: "...\n.\nIt is “autumn”." });
  const [ada, bo] = ["Hello <Ada>,", ".Bo"].map(
    (greeting) => fillTemplate(template, { greeting }).encoded,
  );
  const body = (pieces: Buffer[] = []) => decode(Buffer.concat(pieces.slice(1)).toString());
  const asSent = (text: string) => text.replaceAll("\n", "\r\n");

  expect(body(ada?.html).toString()).toBe(
    asSent(html.replace(slot("greeting"), "Hello &lt;Ada&gt;,")),
  );
  expect(body(bo?.html).toString()).toContain("<p>.Bo</p>");
  expect(body(ada?.text).toString()).toBe(asSent("...\n.\nIt is “autumn”."));
  for (const pieces of [ada?.html, ada?.text, bo?.html])
    for (const piece of pieces ?? []) {
      expect(piece.toString()).not.toMatch(/^\./m);
      for (const line of piece.toString().split("\r\n")) expect(line.length).toBeLessThan(77);
    }
  const shared = (ada?.html ?? []).filter((piece) => bo?.html.includes(piece));
  expect(shared.length).toBe((ada?.html.length ?? 0) - 1);
});
