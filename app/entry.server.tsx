import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { ReactElement } from "react";
import { renderToPipeableStream, renderToString } from "react-dom/server";
import {
  type EntryContext,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { SiteContext } from "~content/use-site.ts";
import { isUnreachable } from "./platform/db/errors.ts";
import { troubleOf } from "./platform/db/trouble.ts";
import {
  currentUser,
  htmlContext,
  incompleteContext,
  nonceContext,
  outageContext,
  servicesOf,
} from "./platform/http/context.ts";
import { loggablePath } from "./platform/http/request-line.ts";
import { speculationHeader } from "./platform/http/speculation.ts";

const renderLimitMs = 10_000;

/** Renders a page after all its loaders. The HTML is left in the context: a body of its own in each
 * of the responses that it passes through would be copied from one to the next. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  headers.set("Content-Type", "text/html; charset=utf-8");
  // Pages for a signed-in user are made when they are requested.
  if (!currentUser(context)) headers.set(...speculationHeader);
  if (request.method !== "HEAD")
    try {
      context.set(htmlContext, await renderPage(request, routerContext, context));
    } catch (error) {
      context.set(incompleteContext, true);
      servicesOf(context).log.error({ err: error }, "a page could not be rendered whole");
      throw error;
    }
  return new Response(null, { status, headers });
}

async function renderPage(
  { url }: Request,
  { serverHandoffStream, ...routerContext }: EntryContext,
  context: RouterContextProvider,
): Promise<string> {
  const nonce = context.get(nonceContext) || undefined;
  // Also for a page that fails before the root has its data.
  const page = (
    <SiteContext value={servicesOf(context).content.site}>
      <ServerRouter context={routerContext} url={url} nonce={nonce} />
    </SiteContext>
  );
  const atOnce = renderToString(page);
  // What is loaded when it is first shown (`lazy`) was not there yet.
  const html = atOnce.includes(unfinished) ? await renderInTime(page) : atOnce;
  const { didRenderScripts } = routerContext.renderMeta ?? {};
  if (!serverHandoffStream || !didRenderScripts) return doctype + html;
  // Joined only once: each joint of long strings is copied when it is next read.
  const data = await handoff(serverHandoffStream, nonce);
  return doctype + html.slice(0, -ending.length) + data + ending;
}

const doctype = "<!DOCTYPE html>";
const ending = "</body></html>";
const unfinished = "<!--$!-->";

/** What `ServerRouter` would send after the page: the data of its loaders for the browser's router. */
async function handoff(stream: ReadableStream<Uint8Array>, nonce?: string): Promise<string> {
  let data = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) data += decoder.decode(chunk, { stream: true });
  const enqueued = JSON.stringify(data).replace(/[&<>\u2028\u2029]/g, escaped);
  const controller = "window.__reactRouterContext.streamController";
  return `<script${nonce ? ` nonce="${nonce}"` : ""}>${controller}.enqueue(${enqueued});${controller}.close();</script>`;
}

const escaped = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

function renderInTime(page: ReactElement): Promise<string> {
  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      onAllReady() {
        clearTimeout(limit);
        const html = new PassThrough();
        text(html).then((page) => resolve(page.slice(doctype.length)), reject);
        pipe(html);
      },
      onError: reject,
    });
    const limit = setTimeout(() => abort(new Error("rendering took too long")), renderLimitMs);
  });
}

/** Logs what loaders and actions throw; it is never shown with its stack. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  if (isUnreachable(error) || troubleOf(error)) context.set(outageContext, true);
  const { pathname } = new URL(request.url);
  servicesOf(context).log.error({ err: error, path: loggablePath(pathname) }, "a request failed");
};
