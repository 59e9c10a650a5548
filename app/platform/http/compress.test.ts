import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { compressed, compressedAsItComes } from "./compress.ts";

const text = "Words that repeat. ".repeat(200);

async function answer(accepted: string | null, body: string | null = text, method = "GET") {
  const headers = new Headers(accepted === null ? {} : { "accept-encoding": accepted });
  const request = new Request("http://localhost/", { headers, method });
  const response = new Response(body, { status: 203, headers: { "X-Kept": "yes" } });
  const made = await compressed(request, response);
  return {
    status: made.status,
    kept: made.headers.get("x-kept"),
    encoding: made.headers.get("content-encoding"),
    bytes: Buffer.from(await made.arrayBuffer()),
  };
}

describe("a page is sent as its reader takes it", () => {
  test.for([
    ["gzip, deflate, br", "br"],
    ["gzip, deflate", "gzip"],
    ["BR;q=0.5", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.0", null],
    ["identity", null],
    [null, null],
  ] as const)("%s gives %s", async ([accepted, encoding]) => {
    const made = await answer(accepted);
    expect(made).toMatchObject({ status: 203, kept: "yes", encoding });
    const undo = { br: brotliDecompressSync, gzip: gunzipSync };
    const plain = encoding ? undo[encoding](made.bytes) : made.bytes;
    expect(String(plain)).toBe(text);
  });

  test.for([
    ["gzip, deflate, br", "gzip"],
    ["br", null],
    [null, null],
  ] as const)("what is streamed: %s gives %s", async ([accepted, encoding]) => {
    const headers = new Headers(accepted === null ? {} : { "accept-encoding": accepted });
    const request = new Request("http://localhost/", { headers });
    const made = compressedAsItComes(request, new Response(text));
    expect(made.headers.get("content-encoding")).toBe(encoding);
    expect(made.headers.get("vary")).toBe("Accept-Encoding");
    const bytes = Buffer.from(await made.arrayBuffer());
    expect(String(encoding ? gunzipSync(bytes) : bytes)).toBe(text);
  });

  test("what is short or empty stays as it is", async () => {
    expect(await answer("br", "short")).toMatchObject({
      encoding: null,
      bytes: Buffer.from("short"),
    });
    expect(await answer("br", null)).toMatchObject({ encoding: null, status: 203 });
  });
});
