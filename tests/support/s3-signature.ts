import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/**
 * Whether a request was signed with this secret (AWS Signature Version 4), in its headers or in its
 * address, and its address has not expired. The S3 server of the tests believes any signature.
 */
export function isSigned(request: IncomingMessage, secret: string): boolean {
  const url = new URL(request.url ?? "/", "http://localhost");
  const given = inAddress(url) ?? inHeaders(request);
  if (!given || given.until < Date.now()) return false;
  const [, ...scope] = given.credential.split("/");
  const canonical = [
    request.method,
    url.pathname
      .split("/")
      .map((part) => encoded(decodeURIComponent(part)))
      .join("/"),
    [...url.searchParams]
      .filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join("&"),
    ...given.headers.map((name) => `${name}:${String(request.headers[name] ?? "").trim()}`),
    "",
    given.headers.join(";"),
    given.payload,
  ].join("\n");
  const text = ["AWS4-HMAC-SHA256", given.date, scope.join("/"), sha256(canonical)].join("\n");
  const key = scope.reduce<Buffer | string>((from, part) => hmac(from, part), `AWS4${secret}`);
  return hmac(key, text).toString("hex") === given.signature;
}

function inAddress({ searchParams }: URL) {
  const signature = searchParams.get("X-Amz-Signature");
  if (!signature) return null;
  const date = searchParams.get("X-Amz-Date") ?? "";
  return {
    signature,
    date,
    credential: searchParams.get("X-Amz-Credential") ?? "",
    headers: (searchParams.get("X-Amz-SignedHeaders") ?? "").split(";"),
    payload: "UNSIGNED-PAYLOAD",
    until: timeOf(date) + Number(searchParams.get("X-Amz-Expires")) * 1000,
  };
}

function inHeaders({ headers }: IncomingMessage) {
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=(\w+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  if (!credential || !names || !signature) return null;
  const date = String(headers["x-amz-date"]);
  return {
    signature,
    date,
    credential,
    headers: names.split(";"),
    payload: String(headers["x-amz-content-sha256"]),
    until: timeOf(date) + 15 * 60_000,
  };
}

/** '20261121T201500Z' in milliseconds. */
function timeOf(date: string): number {
  return Date.parse(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, "$1-$2-$3:$4:$5"));
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: Buffer | string, text: string) =>
  createHmac("sha256", key).update(text).digest();
