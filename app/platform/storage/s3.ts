import { createReadStream } from "node:fs";
import { unlink } from "node:fs/promises";
import type { S3 } from "@aws-sdk/client-s3";
import { contentType, disposition } from "./content-type.ts";
import { lazyS3, nullIfAbsent, objectAt, type S3Error, type S3Settings } from "./s3-client.ts";
import { mediaLifetimeSeconds } from "./signature.ts";
import {
  type Bucket,
  buckets,
  isKey,
  requireKey,
  type S3Storage,
  StorageUnavailable,
  sizeOf,
} from "./storage.ts";

const pageLimitMs = 2000;
const readLimitMs = 10_000;
const within = (ms: number) => ({ abortSignal: AbortSignal.timeout(ms) });

export function s3Storage(settings: S3Settings, lookLimitMs = pageLimitMs): S3Storage {
  const open = lazyS3(settings);
  const place = (bucket: Bucket, key: string) => objectAt(settings, bucket, key);

  async function putFile(bucket: Bucket, key: string, source: string) {
    requireKey(key);
    const s3 = await open();
    const ContentLength = await sizeOf(source);
    const Body = createReadStream(source);
    // The SDK does not handle an error of the stream, which would end the process.
    const unreadable = new AbortController();
    Body.on("error", (error) => unreadable.abort(error));
    const ContentType = contentType(bucket, key);
    try {
      await s3.putObject(
        { ...place(bucket, key), Body, ContentLength, ContentType },
        { abortSignal: unreadable.signal },
      );
    } finally {
      Body.destroy();
    }
  }

  async function find(bucket: Bucket, key: string) {
    if (!isKey(key)) return null;
    const s3 = await open();
    const asked = s3.headObject(place(bucket, key), within(lookLimitMs));
    const found = await asked.catch(nullIfAbsent);
    return (
      found && { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
    );
  }

  return {
    kind: "s3",
    origin: new URL(settings.endpoint).origin,
    async prepare() {
      for (const bucket of buckets) await prepareBucket(settings, bucket, await open());
    },
    putFile,
    async moveFile(bucket, key, source) {
      await putFile(bucket, key, source);
      await unlink(source);
    },
    find,
    async open(bucket, key) {
      const found = await find(bucket, key);
      if (!found) return null;
      const s3 = await open();
      return {
        size: found.size,
        async read(offset, length) {
          const end = Math.min(offset + length, found.size) - 1;
          if (end < offset) return new Uint8Array();
          const { Body } = await s3.getObject(
            { ...place(bucket, key), Range: `bytes=${offset}-${end}` },
            within(readLimitMs),
          );
          return (await Body?.transformToByteArray()) ?? new Uint8Array();
        },
        close: async () => {},
      };
    },
    async remove(bucket, key) {
      if (!isKey(key)) return;
      const s3 = await open();
      await s3.deleteObject(place(bucket, key), within(readLimitMs)).catch(nullIfAbsent);
    },
    async signedUrl(bucket, key, now, name) {
      const [s3, { GetObjectCommand }, { getSignedUrl }] = await Promise.all([
        open(),
        import("@aws-sdk/client-s3"),
        import("@aws-sdk/s3-request-presigner"),
      ]);
      const command = new GetObjectCommand({
        ...place(bucket, key),
        ResponseContentType: contentType(bucket, key),
        ResponseContentDisposition: disposition(bucket, name) ?? "inline",
        ResponseCacheControl: `private, max-age=${mediaLifetimeSeconds}`,
      });
      return getSignedUrl(s3, command, { expiresIn: mediaLifetimeSeconds, signingDate: now });
    },
  };
}

async function prepareBucket(settings: S3Settings, bucket: Bucket, s3: S3) {
  const { Bucket } = objectAt(settings, bucket, "");
  const look = () => s3.headBucket({ Bucket }, within(readLimitMs)).catch(nullIfAbsent);
  try {
    if (await look()) return;
    await s3.createBucket({ Bucket }, within(readLimitMs)).catch(async (error) => {
      // Of two machines that start at once, one finds the bucket created meanwhile.
      if (!(await look())) throw error;
    });
  } catch (error) {
    throw new StorageUnavailable(faultOf(settings, Bucket, error as S3Error), { cause: error });
  }
}

function faultOf({ endpoint, region }: S3Settings, bucket: string, error: S3Error): string {
  const { $metadata, code, name, message } = error;
  const status = $metadata?.httpStatusCode;
  if (!status)
    return `S3_ENDPOINT: the store at ${endpoint} does not answer (${code ?? (message || name)}). Is it running, and is the address right?`;
  const right = error.$response?.headers?.["x-amz-bucket-region"];
  if (right && right !== region)
    return `S3_REGION: the bucket ${bucket} is in ${right}, not in ${region}`;
  if (name === "AuthorizationHeaderMalformed")
    return `S3_REGION: the store at ${endpoint} does not take ${region} (${message})`;
  return `S3_ENDPOINT: the store at ${endpoint} refuses the bucket ${bucket} (${name}, status ${status}). Are S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY right, and may they list, read and write it?`;
}
