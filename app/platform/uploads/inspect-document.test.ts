import { expect, test } from "vitest";
import { documents, zipBomb, zipOf } from "../../../tests/support/documents.ts";
import { inspectDocument } from "./inspect-document.ts";

/** A file that counts what is read of it. */
function fileOf(bytes: Buffer) {
  const read = { bytes: 0 };
  return {
    read: async (offset: number, length: number) => {
      read.bytes += length;
      return bytes.subarray(offset, offset + length);
    },
    size: bytes.length,
    close: async () => {},
    counted: read,
  };
}
const page = "<!doctype html><script>xss()</script>";
const behind = (before: string | Buffer, bytes?: Buffer) =>
  Buffer.concat([Buffer.from(before as string), bytes ?? Buffer.alloc(0)]);
const { pdf = Buffer.alloc(0), png, docx, zip } = documents;

test.each(Object.entries(documents))("inspectDocument: a real %s", async (extension, bytes) => {
  expect(await inspectDocument(fileOf(bytes))).toMatchObject({ extension, broken: false });
});

test.each([
  ["a page", behind(page), null],
  ["a page before a document", behind(page, pdf), null],
  ["a blank before a document", behind("\n", pdf), null],
  ["a mark of UTF-8 before a document", behind("\xef\xbb\xbf", pdf), null],
  ["a sound's tag before a picture", behind("ID3\x04\0\0\0\0\0\0", png), null],
  ["a page before an archive", behind(page, zip), null],
  ["a drawing", behind('<svg xmlns="http://www.w3.org/2000/svg"/>'), null],
  ["nothing but zeros", Buffer.alloc(10_000), null],
])("inspectDocument: %s is none", async (_what, bytes, extension) => {
  const found = await inspectDocument(fileOf(bytes));
  expect([extension, "xml"]).toContain(found.extension);
});

test.each([
  ["pdf", pdf.subarray(0, 100)],
  ["png", documents.png?.subarray(0, 45)],
  ["zip", zip?.subarray(0, 60)],
])("inspectDocument: half a %s is broken", async (extension, bytes = Buffer.alloc(0)) => {
  expect(await inspectDocument(fileOf(bytes))).toEqual({ extension, broken: true });
});

test.each([undefined, 100])("inspectDocument: never unpacks a ZIP bomb (%s)", async (saysBytes) => {
  const bomb = zipBomb(saysBytes);
  const before = process.memoryUsage().arrayBuffers;
  const found = await inspectDocument(fileOf(bomb));
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  expect(found).toEqual({ extension: "zip", broken: false });
});

test("inspectDocument: reads little of an archive with thousands of files in it", async () => {
  const names = Array.from({ length: 5000 }, (_, n) => `${n}.txt`);
  const zipped = zipOf(
    names.map((name) => [name, "x".repeat(3000)]),
    { stored: names },
  );
  const file = fileOf(zipped);
  expect(await inspectDocument(file)).toEqual({ extension: "zip", broken: false });
  expect(file.counted.bytes).toBeLessThan(zipped.length / 2);
});

test("inspectDocument: a document whose list of types stands at its end", async () => {
  const entries: [string, string][] = [
    ["word/document.xml", "<w:document/>"],
    [
      "[Content_Types].xml",
      '<Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>',
    ],
  ];
  expect(await inspectDocument(fileOf(zipOf(entries)))).toMatchObject({ extension: "docx" });
  expect(docx?.length).toBeGreaterThan(0);
});
