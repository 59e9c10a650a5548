import { type RouterContextProvider, redirectDocument } from "react-router";
import { missContext, notFound, servicesOf } from "~/platform/http/context.ts";
import { addQuery } from "~/platform/http/known-routes.ts";
import type { Services } from "~/platform/http/services.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { findTarget } from "./redirects.server.ts";

type Asked = { context: Readonly<RouterContextProvider>; url: URL };

/** The way from an old address to where its page is now, with the visitor's query; null for nowhere.
 * Call it only for a page that is not there. */
export async function redirectFrom(services: Services, url: URL): Promise<Response | null> {
  const target = await findTarget(services, url.pathname);
  return target === null ? null : redirectDocument(addQuery(target, url.search), 301);
}

/** {@link redirectFrom}, and notes for the counting which of the two it was. */
export async function findWayOn({ context, url }: Asked): Promise<Response | null> {
  const way = await redirectFrom(servicesOf(context), url);
  context.set(missContext, way ? "led" : "lost");
  return way;
}

/** {@link findWayOn} for what a page asks for, such as a film, where `error` says that it is not there. */
export async function findWayOnAfter(error: unknown, asked: Asked): Promise<Response | null> {
  return error instanceof Refused && error.code === "not_found" ? findWayOn(asked) : null;
}

/** What a loader throws for a page that is not there: where it is now, or 404. */
export async function missingPage(asked: Asked) {
  return (await findWayOn(asked)) ?? notFound(asked.context);
}
