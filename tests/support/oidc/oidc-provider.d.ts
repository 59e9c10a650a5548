declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  /** The part of it that is used here; the package has no types. */
  type Context = {
    path: string;
    body: Record<string, unknown>;
    oidc: { client: { clientId: string }; session: { accountId: string } };
  };
  type Answer = Record<string, unknown>;

  export default class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    Grant: new (
      of: Record<string, unknown>,
    ) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
    callback(): RequestListener;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      answer: Answer,
    ): Promise<void>;
    on(event: string, listener: (...args: unknown[]) => void): void;
  }
}
