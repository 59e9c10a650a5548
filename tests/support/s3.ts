import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import S3rver from "s3rver";
import { temporaryFolder } from "./config.ts";
import { freePort } from "./port.ts";
import { isSigned } from "./s3-signature.ts";

const secret = "S3RVER";

export type S3Server = Awaited<ReturnType<typeof startS3>>;

/**
 * A real S3 server on loopback, with a folder of its own. `env` points a site at it; `pause` lets
 * it be away for a while, `resume` brings it back at the same address with all it had.
 */
export async function startS3(prefix = "test-") {
  const directory = temporaryFolder();
  const port = await freePort();
  const store = new S3rver({ directory, silent: true, vhostBuckets: false });
  writeToTheEnd(store);
  const handle = store.callback();
  let server: Server | null = null;
  let fault: FaultAt = () => undefined;

  async function resume() {
    const listening = createServer((request, response) => {
      if (isFaulty(fault(request), request, response)) return;
      if (!isSigned(request, secret)) refuse(request, response);
      else if (!answerMultipart(directory, request, response)) handle(request, response);
    });
    await new Promise<void>((resolve) => listening.listen(port, "127.0.0.1", resolve));
    server = listening;
  }
  async function away() {
    const stopped = server;
    server = null;
    stopped?.closeAllConnections();
    await new Promise((resolve) => (stopped ? stopped.close(resolve) : resolve(null)));
  }
  await resume();
  return {
    url: `http://127.0.0.1:${port}`,
    env: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET_PREFIX: prefix,
      // The only pair of keys that the server knows.
      S3_ACCESS_KEY_ID: "S3RVER",
      S3_SECRET_ACCESS_KEY: secret,
    },
    /** Keys of finished files but the one that says whose they are, and numbers of uploads begun, in a bucket (its name with the prefix). */
    contents: (bucket: string) => contents(path.join(directory, bucket)),
    /** What goes wrong from now on, asked for each request. */
    breakAt(at: FaultAt) {
      fault = at;
    },
    pause: away,
    resume,
    async close() {
      await away();
      store.logger.exceptions.unhandle();
      store.logger.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** No answer at all, a connection that breaks, or a status without a body. */
export type Fault =
  | "silence"
  | "break"
  | number
  | { status: number; headers: Record<string, string> };
type FaultAt = (request: IncomingMessage) => Fault | undefined;

function isFaulty(fault: Fault | undefined, request: IncomingMessage, response: ServerResponse) {
  if (fault === undefined) return false;
  if (fault === "break") request.socket.destroy();
  else if (typeof fault === "number") response.writeHead(fault).end();
  else if (fault !== "silence") response.writeHead(fault.status, fault.headers).end();
  request.resume();
  return true;
}

function refuse(request: IncomingMessage, response: ServerResponse) {
  response.writeHead(403, { "content-type": "application/xml", connection: "close" });
  response.end("<Error><Code>SignatureDoesNotMatch</Code><Message>No.</Message></Error>");
  request.resume();
}

/** It answers when it has read all, before all is in the file: anyone who asks at once gets less. */
function writeToTheEnd({ store }: S3rver) {
  const { putObject, putPart } = store;
  const written = async (file: string, { size }: { size: number }) => {
    while (statSync(file).size < size) await pause(2);
  };
  store.putObject = async (object) => {
    const result = await putObject.call(store, object);
    await written(store.getResourcePath(object.bucket, object.key, "object"), result);
    return result;
  };
  store.putPart = async (bucket, uploadId, partNumber, content) => {
    const result = await putPart.call(store, bucket, uploadId, partNumber, content);
    const folder = path.join(store.getResourcePath(bucket, undefined, "uploads"), uploadId);
    await written(path.join(folder, partNumber), result);
    return result;
  };
}

const suffix = "._S3rver_object";
const uploads = "._S3rver_uploads";

function contents(folder: string) {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return {
    keys: names
      .filter((name) => name.endsWith(suffix))
      .map((name) => name.slice(0, -suffix.length))
      .filter((key) => key !== ".site")
      .sort(),
    uploads: existsSync(path.join(folder, uploads))
      ? readdirSync(path.join(folder, uploads)).length
      : 0,
  };
}

/**
 * What the server does not know of uploads in parts, and stores have: listing them (it says 501)
 * and their parts (405), and giving one up.
 */
function answerMultipart(directory: string, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? "/", "http://localhost");
  const uploadId = url.searchParams.get("uploadId");
  if (request.method === "GET" && url.searchParams.has("uploads"))
    return listUploads(path.join(directory, decodeURIComponent(url.pathname)), response);
  if (!uploadId || (request.method !== "GET" && request.method !== "DELETE")) return false;
  const [, bucket = "", ...rest] = url.pathname.split("/").map(decodeURIComponent);
  const folder = path.join(directory, bucket, uploads, uploadId);
  const xml = (status: number, body: string) => {
    response.writeHead(status, { "content-type": "application/xml" });
    response.end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);
  };
  if (!existsSync(folder)) {
    const gone = "<Code>NoSuchUpload</Code><Message>There is no such upload.</Message>";
    xml(404, `<Error>${gone}</Error>`);
  } else if (request.method === "DELETE") {
    rmSync(folder, { recursive: true, force: true });
    response.writeHead(204).end();
  } else {
    const about = `<Bucket>${bucket}</Bucket><Key>${escaped(rest.join("/"))}</Key><UploadId>${uploadId}</UploadId>`;
    xml(
      200,
      `<ListPartsResult>${about}<IsTruncated>false</IsTruncated>${parts(folder)}</ListPartsResult>`,
    );
  }
  request.resume();
  return true;
}

function listUploads(bucket: string, response: ServerResponse) {
  const folder = path.join(bucket, uploads);
  // The folder of an upload is there before its key is.
  const begun = (existsSync(folder) ? readdirSync(folder) : []).filter((id) =>
    existsSync(path.join(folder, id, "key")),
  );
  const list = begun.map((id) => {
    const key = path.join(folder, id, "key");
    return `<Upload><Key>${escaped(readFileSync(key, "utf8"))}</Key><UploadId>${id}</UploadId><Initiated>${statSync(key).mtime.toISOString()}</Initiated></Upload>`;
  });
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${list.join("")}</ListMultipartUploadsResult>`,
  );
  return true;
}

/** A part is there when the server has written its checksum beside it. */
function parts(folder: string): string {
  const names = readdirSync(folder);
  return names
    .filter((name) => /^\d+$/.test(name) && names.includes(`${name}.md5`))
    .sort((one, other) => Number(one) - Number(other))
    .map((name) => {
      const { size, mtime } = statSync(path.join(folder, name));
      return `<Part><PartNumber>${name}</PartNumber><LastModified>${mtime.toISOString()}</LastModified><ETag>"${readFileSync(path.join(folder, `${name}.md5`), "utf8")}"</ETag><Size>${size}</Size></Part>`;
    })
    .join("");
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}
