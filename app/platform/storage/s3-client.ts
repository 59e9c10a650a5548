import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import type { Config } from "../config/config.ts";
import type { Bucket } from "./storage.ts";

export type S3Settings = NonNullable<Config["s3"]>;

/** Also for clients that libraries create themselves. */
export function s3ClientConfig(settings: S3Settings): S3ClientConfig {
  const { endpoint, region, accessKeyId, secretAccessKey } = settings;
  return {
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Bucket names as host names need DNS that only the largest stores have.
    forcePathStyle: true,
    // By default the SDK sends checksums that most stores other than Amazon's refuse.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 2000, socketTimeout: 30_000 },
    logger: silent,
  };
}

/** Errors are thrown as well: the SDK's own lines would mix with the log. */
const say = () => {};
const silent = { trace: say, debug: say, info: say, warn: say, error: say };

/** Loaded only for S3: the SDK is two megabytes and takes a good part of a second. */
export function loadSdk() {
  return import("@aws-sdk/client-s3");
}

/** Call `destroy()` when done. */
export async function openS3Client(settings: S3Settings): Promise<S3Client> {
  const { S3Client } = await loadSdk();
  return new S3Client(s3ClientConfig(settings));
}

export function bucketName({ bucketPrefix }: S3Settings, bucket: Bucket): string {
  return bucketPrefix + bucket;
}
