import type { ListMultipartUploadsCommandOutput, MultipartUpload } from "@aws-sdk/client-s3";
import type { Log } from "../log/log.ts";
import { contentType } from "../storage/content-type.ts";
import {
  lazyS3,
  nullIfAbsent,
  objectAt,
  type S3Error,
  type S3Settings,
} from "../storage/s3-client.ts";
import { type Bucket, buckets, type Storage } from "../storage/storage.ts";
import { orNoRoom, type StoredBytes, type UploadBytes, type UploadPlace } from "./bytes.ts";

const smallestPart = 8 * 1024 * 1024;
/** Stores accept 10,000. */
const mostParts = 9000;
const tailFolder = "uploads/";

/** Uploads straight to their key in consecutive 8 MiB parts: after any crash, the listed parts are
 * the beginning of the file. The rest of a broken connection's part is stored beside it, named by
 * its offset, and counts only while it is the next piece. All processes see the same state. */
export function s3Uploads(settings: S3Settings, storage: Storage, log: Log): UploadBytes {
  let unlisted = false;
  const open = lazyS3(settings);
  const at = (bucket: Bucket, key: string) => objectAt(settings, bucket, key);
  const multipart = ({
    bucket,
    key,
    multipartId,
  }: Pick<UploadPlace, "bucket" | "key" | "multipartId">) => ({
    ...at(bucket, key),
    UploadId: multipartId ?? "",
  });
  const tailKey = ({ id }: UploadPlace, offset: number) => `${tailFolder}${id}/${offset}`;
  const partSize = (size: number) =>
    Math.min(size, Math.max(smallestPart, Math.ceil(size / mostParts)));

  async function partsOf(place: UploadPlace) {
    if (!place.multipartId) return null;
    const s3 = await open();
    const parts: { number: number; size: number; tag: string | undefined }[] = [];
    for (let marker: string | undefined; ; ) {
      const asked = s3.listParts({ ...multipart(place), PartNumberMarker: marker });
      const page = await asked.catch(nullIfAbsent);
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
      const s3 = await open();
      const Parts = parts.whole.map(({ number, tag }) => ({ PartNumber: number, ETag: tag }));
      const asked = { ...multipart(place), MultipartUpload: { Parts } };
      // Another request may just have completed it.
      await s3.completeMultipartUpload(asked).catch(nullIfAbsent);
    }
    if (!(await storage.find(place.bucket, place.key)))
      throw new Error(`the bytes of upload ${place.id} are gone`);
  }

  async function removeTails({ bucket, id }: { bucket: Bucket; id: string }) {
    const { Bucket } = at(bucket, "");
    const asked = { Bucket, Prefix: `${tailFolder}${id}/` };
    const { Contents = [] } = await (await open()).listObjectsV2(asked);
    for (const { Key } of Contents) if (Key) await storage.remove(bucket, Key);
  }

  async function abort(place: Pick<UploadPlace, "bucket" | "key" | "multipartId">) {
    if (!place.multipartId) return;
    const s3 = await open();
    await s3.abortMultipartUpload(multipart(place)).catch(nullIfAbsent);
  }

  /** Not every store can, or may, list them; its own lifecycle rules then end them. */
  function nullIfUnlisted(err: S3Error): null {
    if (![400, 403, 405, 501].includes(err.$metadata?.httpStatusCode ?? 0)) throw err;
    if (!unlisted) log.warn({ err }, "the store does not list unfinished uploads in parts");
    unlisted = true;
    return null;
  }

  async function multipartsIn(bucket: Bucket) {
    const s3 = await open();
    const { Bucket } = at(bucket, "");
    const all: MultipartUpload[] = [];
    let from: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } = {};
    for (;;) {
      const page: ListMultipartUploadsCommandOutput | null = await s3
        .listMultipartUploads({ Bucket, ...from })
        .catch(nullIfUnlisted);
      all.push(...(page?.Uploads ?? []));
      if (!page?.IsTruncated) return all;
      from = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    }
  }

  return {
    async begin({ bucket, key }) {
      const s3 = await open();
      const asked = { ...at(bucket, key), ContentType: contentType(bucket, key) };
      return (await orNoRoom(s3.createMultipartUpload(asked))).UploadId ?? null;
    },
    async append(place, offset, source) {
      const s3 = await open();
      const parts = await partsOf(place);
      if (!parts) throw new Error(`the bytes of upload ${place.id} are gone`);
      const tail = await readTail(place, parts.bytes);
      if (parts.bytes + tail.length !== offset) throw new Error("the upload moved on meanwhile");
      let received = parts.bytes;
      let number = parts.whole.length;
      for await (const Body of gathered(source, tail, partSize(place.size))) {
        if (Body.length < partSize(place.size) && received + Body.length < place.size) {
          const rest = at(place.bucket, tailKey(place, received));
          await orNoRoom(s3.putObject({ ...rest, Body }));
          return received + Body.length;
        }
        number += 1;
        await orNoRoom(s3.uploadPart({ ...multipart(place), PartNumber: number, Body }));
        if (received === parts.bytes && tail.length > 0)
          await storage.remove(place.bucket, tailKey(place, received));
        received += Body.length;
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
      const client = await open();
      const { paginateListObjectsV2 } = await import("@aws-sdk/client-s3");
      for (const bucket of buckets) {
        const { Bucket } = at(bucket, "");
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket }))
          yield Contents.map(({ Key: key = "" }): StoredBytes => {
            const uploadId = /^uploads\/([^/]+)\/\d+$/.exec(key)?.[1] ?? null;
            return { what: "file", bucket, key, uploadId };
          });
        yield (await multipartsIn(bucket)).map(
          ({ Key: key = "", UploadId: multipartId = "" }): StoredBytes => ({
            what: "multipart",
            bucket,
            key,
            multipartId,
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

/** The bytes of `before` and `source` in pieces of `size` (or less at the end), one in memory. */
async function* gathered(
  source: AsyncIterable<Uint8Array>,
  before: Uint8Array,
  size: number,
): AsyncGenerator<Uint8Array> {
  let piece = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  for await (let bytes of following(before, source)) {
    while (bytes.length > 0) {
      const taken = Math.min(bytes.length, size - filled);
      piece.set(bytes.subarray(0, taken), filled);
      filled += taken;
      bytes = bytes.subarray(taken);
      if (filled < size) continue;
      yield piece;
      piece = Buffer.allocUnsafeSlow(size);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

async function* following(before: Uint8Array, source: AsyncIterable<Uint8Array>) {
  yield before;
  yield* source;
}
