import type { S3 } from "@aws-sdk/client-s3";
import type { Config } from "../config/config.ts";
import type { Bucket } from "./storage.ts";

export type S3Settings = NonNullable<Config["s3"]>;
export type S3Error = Error & {
  $metadata?: { httpStatusCode?: number };
  $response?: { headers?: Record<string, string> };
  code?: string;
};

/** A client made at its first use: the SDK is two megabytes and takes half a second to load. */
export function lazyS3({
  endpoint,
  region,
  accessKeyId,
  secretAccessKey,
}: S3Settings): () => Promise<S3> {
  let opened: Promise<S3> | undefined;
  const open = async () => {
    const { S3 } = await import("@aws-sdk/client-s3");
    return new S3({
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
    });
  };
  return () => {
    opened ??= open();
    return opened;
  };
}

/** Errors are thrown as well: the SDK's own lines would mix with the log. */
const say = () => {};
const silent = { trace: say, debug: say, info: say, warn: say, error: say };

export function objectAt({ bucketPrefix }: S3Settings, bucket: Bucket, key: string) {
  return { Bucket: bucketPrefix + bucket, Key: key };
}

export function nullIfAbsent(error: S3Error): null {
  if (error.$metadata?.httpStatusCode === 404) return null;
  throw error;
}
