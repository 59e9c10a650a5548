import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { isUnreachable } from "./platform/db/errors.ts";
import {
  currentUser,
  incompleteContext,
  nonceContext,
  outageContext,
  servicesOf,
  streamedContext,
} from "./platform/http/context.ts";
import { loggablePath } from "./platform/http/request-line.ts";
import { speculationHeader } from "./platform/http/speculation.ts";
import { withStreamed } from "./platform/http/stream.ts";

const renderLimitMs = 10_000;

/** Renders a page after all its loaders. What is too long for memory is streamed after it. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> | Response {
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Pages for a signed-in user are made when they are requested.
  if (!currentUser(context)) headers.set(...speculationHeader);
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const nonce = context.get(nonceContext) || undefined;
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(
      <ServerRouter context={routerContext} url={request.url} nonce={nonce} />,
      {
        nonce,
        onAllReady() {
          clearTimeout(limit);
          const part = context.get(streamedContext);
          const answer = (body: Buffer<ArrayBuffer>) =>
            part
              ? withStreamed(body, part, { status, headers })
              : new Response(body, { status, headers });
          pipe(collect((body) => resolve(answer(body))));
        },
        onShellError: reject,
        onError(error) {
          context.set(incompleteContext, true);
          servicesOf(context).log.error({ err: error }, "a page could not be rendered whole");
        },
      },
    );
    const limit = setTimeout(() => abort(new Error("rendering took too long")), renderLimitMs);
  });
}

// Collects what React writes into one buffer: cheaper than a stream, and its length is known.
function collect(done: (body: Buffer<ArrayBuffer>) => void): Writable {
  const chunks: Uint8Array[] = [];
  return new Writable({
    write(chunk: Uint8Array, _, next) {
      chunks.push(chunk);
      next();
    },
    final(next) {
      done(Buffer.concat(chunks));
      next();
    },
  });
}

/** Logs what loaders and actions throw; it is never shown with its stack. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  if (isUnreachable(error)) context.set(outageContext, true);
  const { pathname } = new URL(request.url);
  servicesOf(context).log.error({ err: error, path: loggablePath(pathname) }, "a request failed");
};
