import { createReadStream } from "node:fs";
import { unlink } from "node:fs/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { contentType } from "./content-type.ts";
import { bucketName, loadSdk, openS3Client, type S3Settings } from "./s3-client.ts";
import { mediaLifetimeSeconds } from "./signature.ts";
import {
  type Bucket,
  buckets,
  isKey,
  type S3Storage,
  StorageUnavailable,
  sizeOf,
} from "./storage.ts";

const pageLimitMs = 2000;
const readLimitMs = 10_000;

export function s3Storage(settings: S3Settings, lookLimitMs = pageLimitMs): S3Storage {
  let opened: ReturnType<typeof openSdk> | undefined;
  const sdk = () => {
    opened ??= openSdk(settings);
    return opened;
  };
  const place = (bucket: Bucket, key: string) => ({
    Bucket: bucketName(settings, bucket),
    Key: key,
  });

  async function putFile(bucket: Bucket, key: string, source: string) {
    if (!isKey(key)) throw new Error(`not a storage key: ${key}`);
    const { client, PutObjectCommand } = await sdk();
    const size = await sizeOf(source);
    const Body = createReadStream(source);
    // The SDK does not handle an error of the stream, which would end the process.
    const unreadable = new AbortController();
    Body.on("error", (error) => unreadable.abort(error));
    try {
      await client.send(
        new PutObjectCommand({
          ...place(bucket, key),
          Body,
          ContentLength: size,
          ContentType: contentType(bucket, key),
        }),
        { abortSignal: unreadable.signal },
      );
    } finally {
      Body.destroy();
    }
  }

  async function find(bucket: Bucket, key: string) {
    if (!isKey(key)) return null;
    const { client, HeadObjectCommand } = await sdk();
    const abortSignal = AbortSignal.timeout(lookLimitMs);
    const found = await client
      .send(new HeadObjectCommand(place(bucket, key)), { abortSignal })
      .catch(nullIfAbsent);
    return (
      found && { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
    );
  }

  return {
    kind: "s3",
    origin: new URL(settings.endpoint).origin,
    async prepare() {
      for (const bucket of buckets) await prepareBucket(settings, bucket, await sdk());
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
      const { client, GetObjectCommand } = await sdk();
      return {
        size: found.size,
        async read(offset, length) {
          const end = Math.min(offset + length, found.size) - 1;
          if (end < offset) return new Uint8Array();
          const { Body } = await client.send(
            new GetObjectCommand({ ...place(bucket, key), Range: `bytes=${offset}-${end}` }),
            { abortSignal: AbortSignal.timeout(readLimitMs) },
          );
          return (await Body?.transformToByteArray()) ?? new Uint8Array();
        },
        close: async () => {},
      };
    },
    async remove(bucket, key) {
      if (!isKey(key)) return;
      const { client, DeleteObjectCommand } = await sdk();
      const abortSignal = AbortSignal.timeout(readLimitMs);
      const command = new DeleteObjectCommand(place(bucket, key));
      await client.send(command, { abortSignal }).catch(nullIfAbsent);
    },
    async signedUrl(bucket, key, now) {
      const { client, GetObjectCommand, getSignedUrl } = await sdk();
      const command = new GetObjectCommand({
        ...place(bucket, key),
        ResponseContentType: contentType(bucket, key),
        ResponseContentDisposition: "inline",
        ResponseCacheControl: `private, max-age=${mediaLifetimeSeconds}`,
      });
      return getSignedUrl(client, command, { expiresIn: mediaLifetimeSeconds, signingDate: now });
    },
  };
}

async function openSdk(settings: S3Settings) {
  const [commands, { getSignedUrl }, client] = await Promise.all([
    loadSdk(),
    import("@aws-sdk/s3-request-presigner"),
    openS3Client(settings),
  ]);
  const { GetObjectCommand, HeadObjectCommand, PutObjectCommand, DeleteObjectCommand } = commands;
  const { HeadBucketCommand, CreateBucketCommand } = commands;
  return {
    client,
    getSignedUrl,
    GetObjectCommand,
    HeadObjectCommand,
    PutObjectCommand,
    DeleteObjectCommand,
    HeadBucketCommand,
    CreateBucketCommand,
  };
}

type Sdk = Awaited<ReturnType<typeof openSdk>>;

async function prepareBucket(settings: S3Settings, bucket: Bucket, sdk: Sdk) {
  const Bucket = bucketName(settings, bucket);
  const look = () => ask(sdk.client, new sdk.HeadBucketCommand({ Bucket })).catch(nullIfAbsent);
  try {
    if (await look()) return;
    await ask(sdk.client, new sdk.CreateBucketCommand({ Bucket })).catch(async (error) => {
      // Of two machines that start at once, one finds the bucket created meanwhile.
      if (!(await look())) throw error;
    });
  } catch (error) {
    throw new StorageUnavailable(fieldError(settings, Bucket, error), { cause: error });
  }
}

function ask(
  client: S3Client,
  command: InstanceType<Sdk["HeadBucketCommand"] | Sdk["CreateBucketCommand"]>,
): Promise<unknown> {
  return client.send(command as InstanceType<Sdk["HeadBucketCommand"]>, {
    abortSignal: AbortSignal.timeout(readLimitMs),
  });
}

type SdkError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

function fieldError({ endpoint }: S3Settings, bucket: string, error: unknown): string {
  const { $metadata, code, name, message } = error as SdkError;
  const status = $metadata?.httpStatusCode;
  if (!status)
    return `S3_ENDPOINT: the store at ${endpoint} does not answer (${code ?? (message || name)}). Is it running, and is the address right?`;
  return `S3_ENDPOINT: the store at ${endpoint} refuses the bucket ${bucket} (${name}, status ${status}). Are S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY right, and may they list, read and write it?`;
}

function nullIfAbsent(error: SdkError): null {
  if (error.$metadata?.httpStatusCode === 404) return null;
  throw error;
}
