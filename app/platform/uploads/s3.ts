import type {
  CompletedPart,
  ListMultipartUploadsCommandOutput,
  MultipartUpload,
  S3Client,
} from "@aws-sdk/client-s3";
import type { Log } from "../log/log.ts";
import { contentType } from "../storage/content-type.ts";
import { bucketName, loadSdk, openS3Client, type S3Settings } from "../storage/s3-client.ts";
import { type Bucket, buckets, type Storage } from "../storage/storage.ts";
import { NoRoom, type StoredBytes, type UploadBytes, type UploadPlace } from "./bytes.ts";
import { gathered } from "./pieces.ts";

const smallestPart = 8 * 1024 * 1024;
/** Stores accept 10,000. */
const mostParts = 9000;
const tailFolder = "uploads/";

/** Uploads straight to their key in consecutive 8 MiB parts: after any crash, the listed parts are
 * the beginning of the file. The rest of a broken connection's part is stored beside it, named by
 * its offset, and counts only while it is the next piece. All processes see the same state. */
export function s3Uploads(settings: S3Settings, storage: Storage, log: Log): UploadBytes {
  let unlisted = false;
  let opened: Promise<{ client: S3Client; sdk: Awaited<ReturnType<typeof loadSdk>> }> | undefined;
  const open = () => {
    opened ??= Promise.all([loadSdk(), openS3Client(settings)]).then(([sdk, client]) => ({
      sdk,
      client,
    }));
    return opened;
  };
  const at = (bucket: Bucket, key: string) => ({ Bucket: bucketName(settings, bucket), Key: key });
  const multipart = ({ bucket, key, multipartId }: UploadPlace) => ({
    ...at(bucket, key),
    UploadId: multipartId ?? "",
  });
  const tailKey = ({ id }: UploadPlace, offset: number) => `${tailFolder}${id}/${offset}`;
  const partSize = (size: number) =>
    Math.min(size, Math.max(smallestPart, Math.ceil(size / mostParts)));

  async function partsOf(place: UploadPlace) {
    if (!place.multipartId) return null;
    const { client, sdk } = await open();
    const parts: { number: number; size: number; tag: string | undefined }[] = [];
    for (let marker: string | undefined; ; ) {
      const command = new sdk.ListPartsCommand({ ...multipart(place), PartNumberMarker: marker });
      const page = await client.send(command).catch(nullIfAbsent);
      if (!page) return null;
      for (const { PartNumber = 0, Size = 0, ETag } of page.Parts ?? [])
        parts.push({ number: PartNumber, size: Size, tag: ETag });
      if (!page.IsTruncated) break;
      marker = page.NextPartNumberMarker;
    }
    parts.sort((one, other) => one.number - other.number);
    const gap = parts.findIndex(({ number }, index) => number !== index + 1);
    const whole = gap < 0 ? parts : parts.slice(0, gap);
    return { whole, bytes: whole.reduce((sum, { size }) => sum + size, 0) };
  }

  async function readTail(place: UploadPlace, offset: number): Promise<Uint8Array> {
    const tail = await storage.open(place.bucket, tailKey(place, offset));
    return tail ? tail.read(0, tail.size) : new Uint8Array();
  }

  async function complete(place: UploadPlace) {
    if (await storage.find(place.bucket, place.key)) return;
    const parts = await partsOf(place);
    if (parts?.bytes === place.size) {
      const { client, sdk } = await open();
      const Parts = parts.whole.map(
        ({ number, tag }): CompletedPart => ({ PartNumber: number, ETag: tag }),
      );
      const command = new sdk.CompleteMultipartUploadCommand({
        ...multipart(place),
        MultipartUpload: { Parts },
      });
      // Another request may just have completed it.
      await client.send(command).catch(nullIfAbsent);
    }
    if (!(await storage.find(place.bucket, place.key)))
      throw new Error(`the bytes of upload ${place.id} are gone`);
  }

  async function removeTails({ bucket, id }: { bucket: Bucket; id: string }) {
    const { client, sdk } = await open();
    const Prefix = `${tailFolder}${id}/`;
    const { Bucket } = at(bucket, "");
    const { Contents = [] } = await client.send(new sdk.ListObjectsV2Command({ Bucket, Prefix }));
    for (const { Key } of Contents) if (Key) await storage.remove(bucket, Key);
  }

  async function abort(place: Pick<UploadPlace, "bucket" | "key" | "multipartId">) {
    if (!place.multipartId) return;
    const { client, sdk } = await open();
    const command = new sdk.AbortMultipartUploadCommand(multipart(place as UploadPlace));
    await client.send(command).catch(nullIfAbsent);
  }

  /** Not every store can, or may, list them; its own lifecycle rules then end them. */
  function nullIfUnlisted(err: SdkError): null {
    if (![400, 403, 405, 501].includes(err.$metadata?.httpStatusCode ?? 0)) throw err;
    if (!unlisted) log.warn({ err }, "the store does not list unfinished uploads in parts");
    unlisted = true;
    return null;
  }

  async function multipartsIn(bucket: Bucket) {
    const { client, sdk } = await open();
    const all: MultipartUpload[] = [];
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const { Bucket } = at(bucket, "");
      const page: ListMultipartUploadsCommandOutput | null = await client
        .send(new sdk.ListMultipartUploadsCommand({ Bucket, ...from }))
        .catch(nullIfUnlisted);
      all.push(...(page?.Uploads ?? []));
      if (!page?.IsTruncated) return all;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  return {
    async begin({ bucket, key }) {
      const { client, sdk } = await open();
      const command = new sdk.CreateMultipartUploadCommand({
        ...at(bucket, key),
        ContentType: contentType(bucket, key),
      });
      return (await orNoRoom(client.send(command))).UploadId ?? null;
    },
    async append(place, offset, source) {
      const { client, sdk } = await open();
      const parts = await partsOf(place);
      if (!parts) throw new Error(`the bytes of upload ${place.id} are gone`);
      const tail = await readTail(place, parts.bytes);
      if (parts.bytes + tail.length !== offset) throw new Error("the upload moved on meanwhile");
      let received = parts.bytes;
      let number = parts.whole.length;
      const remember = (Body: Uint8Array) =>
        client.send(
          new sdk.PutObjectCommand({ ...at(place.bucket, tailKey(place, received)), Body }),
        );
      for await (const piece of gathered(source, tail, partSize(place.size))) {
        if (piece.length < partSize(place.size) && received + piece.length < place.size) {
          await orNoRoom(remember(piece));
          return received + piece.length;
        }
        number += 1;
        const command = { ...multipart(place), PartNumber: number, Body: piece };
        await orNoRoom(client.send(new sdk.UploadPartCommand(command)));
        if (received === parts.bytes && tail.length > 0)
          await storage.remove(place.bucket, tailKey(place, received));
        received += piece.length;
      }
      return received;
    },
    async received(place) {
      const parts = await partsOf(place);
      if (!parts) return (await storage.find(place.bucket, place.key))?.size ?? null;
      if (parts.bytes === place.size) return parts.bytes;
      const tail = await storage.find(place.bucket, tailKey(place, parts.bytes));
      return parts.bytes + (tail?.size ?? 0);
    },
    async open(place) {
      await complete(place);
      const file = await storage.open(place.bucket, place.key);
      if (!file) throw new Error(`the bytes of upload ${place.id} are gone`);
      return file;
    },
    async settle(place) {
      await complete(place);
      await removeTails(place);
    },
    async discard(place) {
      await abort(place);
      await removeTails(place);
      await storage.remove(place.bucket, place.key);
    },
    room: async () => Number.POSITIVE_INFINITY,
    async *everything() {
      const { client, sdk } = await open();
      for (const bucket of buckets) {
        const { Bucket } = at(bucket, "");
        const objects = sdk.paginateListObjectsV2({ client }, { Bucket });
        for await (const { Contents = [] } of objects)
          yield Contents.map(
            ({ Key = "" }): StoredBytes => ({
              what: "file",
              bucket,
              key: Key,
              uploadId: uploadOfTail(Key),
            }),
          );
        yield (await multipartsIn(bucket)).map(
          ({ Key = "", UploadId = "" }): StoredBytes => ({
            what: "multipart",
            bucket,
            key: Key,
            multipartId: UploadId,
          }),
        );
      }
    },
    async sweep(stored) {
      if (stored.what === "file") await storage.remove(stored.bucket, stored.key);
      if (stored.what === "multipart") await abort(stored);
    },
  };
}

function uploadOfTail(key: string): string | null {
  return /^uploads\/([^/]+)\/\d+$/.exec(key)?.[1] ?? null;
}

type SdkError = Error & { $metadata?: { httpStatusCode?: number } };

function nullIfAbsent(error: SdkError): null {
  if (error.$metadata?.httpStatusCode === 404) return null;
  throw error;
}

/** Turns the error of a full store into NoRoom. */
async function orNoRoom<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    const { name, $metadata } = error as SdkError;
    if ($metadata?.httpStatusCode === 507 || /StorageFull|QuotaExceeded/.test(name))
      throw new NoRoom("the store is full", { cause: error });
    throw error;
  }
}
