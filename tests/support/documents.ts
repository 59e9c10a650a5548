import { crc32, deflateRawSync } from "node:zlib";

type Entry = [name: string, content: string | Buffer];

/** A ZIP file as usual programs write it: compressed, but for what must not be. `saysBytes`: what its
 * entries claim to be when they are unpacked. */
export function zipOf(
  entries: Entry[],
  { stored = [], saysBytes }: { stored?: string[]; saysBytes?: number } = {},
): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of entries) {
    const bytes = Buffer.from(content as string);
    const isStored = stored.includes(name);
    const packed = isStored ? bytes : deflateRawSync(bytes);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(isStored ? 0 : 8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(saysBytes ?? bytes.length, 18);
    about.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), about, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const made = Buffer.from([20, 0]);
    central.push(Buffer.concat([Buffer.from("PK\x01\x02"), made, about, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, list, Buffer.from("PK\x05\x06"), end]);
}

const office = "application/vnd.openxmlformats-officedocument";
const typesOf = (part: string, type: string): Entry => [
  "[Content_Types].xml",
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/${part}" ContentType="${type}.main+xml"/></Types>`,
];
const relationTo = (part: string): Entry => [
  "_rels/.rels",
  `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${part}"/></Relationships>`,
];
const word = (type = `${office}.wordprocessingml.document`): Entry[] => [
  typesOf("word/document.xml", type),
  relationTo("word/document.xml"),
  [
    "word/document.xml",
    `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>A page to write on</w:t></w:r></w:p></w:body></w:document>`,
  ],
];
const sheet: Entry[] = [
  typesOf("xl/workbook.xml", `${office}.spreadsheetml.sheet`),
  relationTo("xl/workbook.xml"),
  ["xl/workbook.xml", '<?xml version="1.0"?><workbook/>'],
];
const book: Entry[] = [
  ["mimetype", "application/epub+zip"],
  [
    "META-INF/container.xml",
    '<?xml version="1.0"?><container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
  ],
  ["book.opf", '<?xml version="1.0"?><package version="3.0"/>'],
];
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const photo =
  "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA//9k=";
const webp = "UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA";

const pdf = `%PDF-1.4
%\xe2\xe3\xcf\xd3
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]>>endobj
xref
0 4
0000000000 65535 f
0000000015 00000 n
0000000058 00000 n
0000000107 00000 n
trailer<</Size 4/Root 1 0 R>>
startxref
170
%%EOF
`;

/** A small, real file of each type that lessons can have, by its extension; and of a few others. */
export const documents: Readonly<Record<string, Buffer>> = {
  pdf: Buffer.from(pdf, "latin1"),
  epub: zipOf(book, { stored: ["mimetype"] }),
  zip: zipOf([["notes.txt", "Some words. ".repeat(100)]]),
  png: Buffer.from(pixel, "base64"),
  jpg: Buffer.from(photo, "base64"),
  webp: Buffer.from(webp, "base64"),
  docx: zipOf(word()),
  xlsx: zipOf(sheet),
  docm: zipOf(word("application/vnd.ms-word.document.macroEnabled")),
};

/** A ZIP of some kilobytes whose list of types unpacks to twenty megabytes, and says so or not. */
export const zipBomb = (saysBytes?: number) =>
  zipOf([["[Content_Types].xml", Buffer.alloc(20_000_000)], ...word().slice(1)], { saysBytes });
