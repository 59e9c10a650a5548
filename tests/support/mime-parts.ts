/** An email's head and its parts (RFC 2046, 5.1), each decoded if it says that it is to be. */
export function partsOf(source: string): string[] {
  const [, boundary] = /boundary="([^"]+)"/.exec(source) ?? [];
  const parts = boundary ? source.split(`\r\n--${boundary}`) : [source];
  return parts.map((part) =>
    /^content-transfer-encoding: quoted-printable/im.test(part) ? quotedPrintable(part) : part,
  );
}

/** Decodes text that was sent as quoted-printable UTF-8 (RFC 2045, 6.7). */
export function quotedPrintable(text: string): string {
  const joined = text.replaceAll(/=\r?\n/g, "");
  const bytes = joined.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
