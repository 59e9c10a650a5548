declare module "s3rver" {
  import type { RequestListener } from "node:http";

  /** The part of it that is used here; the package has no types. */
  type Written = Promise<{ size: number; md5: string }>;
  export default class S3rver {
    constructor(options: { directory: string; silent: boolean; vhostBuckets: boolean });
    callback(): RequestListener;
    store: {
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
      putObject(object: { bucket: string; key: string }): Written;
      putPart(bucket: string, uploadId: string, partNumber: string, content: unknown): Written;
    };
    logger: { exceptions: { unhandle(): void }; close(): void };
  }
}
