import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const leastBytes = 1024;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
// Good and quick: what is compressed here is sent once. A window of 256 KiB holds every
// page of ours; the default one would take megabytes of memory for each in flight.
const quality = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/**
 * The answer in one piece, compressed for whoever takes that. Nothing here answers bit
 * by bit, and whole bodies are compressed off the main thread, without web streams.
 */
export async function compressed(request: Request, response: Response): Promise<Response> {
  if (!response.body || request.method === "HEAD") return response;
  const body = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  headers.append("Vary", "Accept-Encoding");
  const encoding = body.length < leastBytes ? null : best(request.headers);
  if (!encoding) return new Response(body, { status, headers });
  headers.set("Content-Encoding", encoding);
  headers.delete("Content-Length");
  const smaller = encoding === "br" ? await brotli(body, quality) : await zip(body);
  return new Response(new Uint8Array(smaller), { status, headers });
}

function best(headers: Headers): "br" | "gzip" | null {
  const accepted = new Set(
    (headers.get("accept-encoding") ?? "").split(",").flatMap((part) => {
      const [name = "", weight = ""] = part.trim().toLowerCase().split(";");
      return /^\s*q=0(\.0*)?$/.test(weight) ? [] : [name.trim()];
    }),
  );
  if (accepted.has("br")) return "br";
  return accepted.has("gzip") ? "gzip" : null;
}
