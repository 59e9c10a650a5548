import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import type { Config } from "../config/config.ts";
import type { Bucket } from "./storage.ts";

export type S3Settings = NonNullable<Config["s3"]>;

/** How every client of the store is set up, also those that libraries make for themselves. */
export function s3ClientConfig(settings: S3Settings): S3ClientConfig {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Names of buckets as names of hosts need DNS that only the largest stores have.
    forcePathStyle: true,
    // By default the SDK sends checksums that most stores but Amazon's refuse.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 2000, socketTimeout: 30_000 },
    logger: silent,
  };
}

/** What goes wrong is thrown as well: the SDK's own lines would stand between those of log and commands. */
const say = () => {};
const silent = { trace: say, debug: say, info: say, warn: say, error: say };

/** The SDK is two megabytes and a good part of a second: it is loaded where S3 is used, and not before. */
export function loadSdk() {
  return import("@aws-sdk/client-s3");
}

/** A client of the configured store; `destroy()` it when done. */
export async function openS3Client(settings: S3Settings): Promise<S3Client> {
  const { S3Client } = await loadSdk();
  return new S3Client(s3ClientConfig(settings));
}

/** What a bucket is called in the store. */
export function bucketName({ bucketPrefix }: S3Settings, bucket: Bucket): string {
  return bucketPrefix + bucket;
}
