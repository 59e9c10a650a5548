declare module "hoodiecrow-imap" {
  import type { Server } from "node:net";

  /** The part of it that is used here; the package has no types. */
  type Message = { raw: string; flags?: string[]; uid?: number; internaldate?: string };
  type Options = {
    plugins?: string[];
    storage: Record<string, { messages: Message[] }>;
    debug?: boolean;
  };
  export default function hoodiecrow(options: Options): {
    server: Server;
    folderCache: Record<string, { messages: Required<Message>[] }>;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  };
}
