import { describe, expect, test } from "vitest";
import { lessonFileTypes } from "~/platform/config/schema.ts";
import { fileMessages } from "./file-messages.ts";
import {
  acceptedFiles,
  downloadName,
  fileContentRefusal,
  fileFacts,
  fileTitle,
  fileTypes,
  lessonFileRefusal,
  moveBefore,
  titleOfFile,
  typesInWords,
} from "./files.ts";

const types = Object.keys(fileTypes);

test("fileTypes: are those of the setting", () => {
  expect(types).toEqual(lessonFileTypes);
  expect(typesInWords(types)).toBe("PDF, EPUB, ZIP, PNG, JPEG, WebP, Word (DOCX) or Excel (XLSX)");
  expect(typesInWords(["pdf"])).toBe("PDF");
  expect(acceptedFiles(["pdf", "jpeg"])).toBe(".pdf,.jpg,.jpeg");
});

test.each([
  ["a.pdf", 10, null],
  ["a.PDF", 10, null],
  ["a.jpeg", 10, null],
  ["a.jpg", 100, null],
  ["a.html", 10, "This file cannot be added."],
  ["a.pdf.html", 10, "This file cannot be added."],
  ["a.docm", 10, "This file cannot be added."],
  ["pdf", 10, "This file cannot be added."],
  ["a.pdf", 0, "This file is empty."],
  ["a.pdf", 101, "This file is too large (101 bytes). Up to 100 bytes"],
])("lessonFileRefusal: %s of %i bytes: %s", (name, size, said) => {
  const refusal = lessonFileRefusal({ name, size }, { types, limit: 100 });
  if (said === null) expect(refusal).toBeNull();
  else expect(refusal).toContain(said);
});

test("lessonFileRefusal: a type that the setting leaves out", () => {
  const zip = lessonFileRefusal({ name: "a.zip", size: 1 }, { types: ["pdf", "docx"] });
  expect(zip).toBe("This file cannot be added. Choose one of these types: PDF or Word (DOCX).");
});

test.each([
  ["a.pdf", "pdf", false, null],
  ["a.jpeg", "jpg", false, null],
  ["a.zip", "docx", false, fileMessages.misnamed("zip", "Word", "docx")],
  ["a.docx", "zip", false, fileMessages.misnamed("docx", "ZIP", "zip")],
  ["a.docx", "docm", false, fileMessages.notOfType("docx")],
  ["a.pdf", null, false, fileMessages.notOfType("pdf")],
  ["a.pdf", "pdf", true, fileMessages.damaged],
])("fileContentRefusal: %s that is %s, broken: %s", (name, extension, broken, said) => {
  expect(fileContentRefusal(name, { extension, broken }, types)).toBe(said);
});

describe("titleOfFile", () => {
  const listed = (title: string, fileName: string) => ({ title, fileName });
  test.each([
    ["Workbook_week 1.pdf", [], "Workbook week 1"],
    ["Workbook.pdf", [listed("Workbook", "a.pdf")], "Workbook (2)"],
    ["Workbook.pdf", [listed("Workbook", "a.docx")], "Workbook"],
    [
      "Workbook.pdf",
      [listed("Workbook", "a.pdf"), listed("Workbook (2)", "b.pdf")],
      "Workbook (3)",
    ],
    [" .pdf", [], "File"],
    ["Trauer & Trost – Übungen.pdf", [], "Trauer & Trost – Übungen"],
    ["a\u202efdp.pdf", [], "afdp"],
  ])("%j beside %j: %j", (name, others, title) => expect(titleOfFile(name, others)).toBe(title));

  test("has a limit, with its number in it", () => {
    const long = `${"x".repeat(300)}.pdf`;
    expect(titleOfFile(long, [])).toHaveLength(120);
    expect(titleOfFile(long, [listed("x".repeat(120), "a.pdf")])).toMatch(/^x{116} \(2\)$/);
  });
});

test.each([
  ["  two\nlines\t of  it ", "two lines of it"],
  ["\u202egnp", "gnp"],
  ["\0", ""],
])("fileTitle: %j is stored as %j", (typed, stored) => expect(fileTitle(typed)).toBe(stored));

test.each([
  ["Workbook", "w.PDF", "Workbook.pdf"],
  ["../../etc/passwd", "w.pdf", "etc-passwd.pdf"],
  ['a"b\r\nSet-Cookie: x', "w.pdf", "a-b Set-Cookie- x.pdf"],
  ["...", "w.zip", "File.zip"],
  ["Trost für Zoë 悲しみ", "w.docx", "Trost für Zoë 悲しみ.docx"],
])("downloadName: %j of %s is %j", (title, fileName, name) =>
  expect(downloadName({ title, fileName })).toBe(name),
);

test.each([
  ["a.pdf", 2_400_000, "PDF, 2.4 MB"],
  ["a.docx", 12_000, "Word, 12 KB"],
  ["a.gone", 12, "GONE, 12 bytes"],
])("fileFacts: %s of %i bytes: %s", (fileName, size, words) =>
  expect(fileFacts({ fileName, size })).toBe(words),
);

test.each([
  ["a", "c", ["b", "a", "c"]],
  ["c", "a", ["c", "a", "b"]],
  ["a", "", ["b", "c", "a"]],
  ["b", "b", ["a", "b", "c"]],
  ["x", "a", null],
  ["a", "x", null],
])("moveBefore: %s before %j", (id, beforeId, order) =>
  expect(moveBefore(["a", "b", "c"], { id, beforeId })).toEqual(order),
);
