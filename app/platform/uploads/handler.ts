import { readSession } from "../auth/session.ts";
import { errorResponse, methodNotAllowed } from "../http/errors.ts";
import { logRefusal } from "../log/refusals.ts";
import type { Services } from "../services.ts";
import type { Tus, UploadPolicy } from "./tus.ts";

/** Where uploads begin; each has its own address below. */
export const uploadsPath = "/uploads";

/**
 * Answers `/uploads` and `/uploads/{id}`: resumable uploads (tus 1.0) of administrators. Refusals
 * of a file are plain sentences, fit to be shown; who may not be here at all is told in JSON.
 */
export function uploadsHandler(
  services: Services,
  policy: UploadPolicy,
): (request: Request) => Promise<Response> {
  let loading: Promise<Tus> | undefined;
  // Not before the first upload: the start of the site is faster without it.
  const load = () => {
    loading ??= import("./tus.ts").then(({ createTus }) => createTus(services, policy));
    return loading;
  };

  return async (request) => {
    const rest = new URL(request.url).pathname.slice(uploadsPath.length).replace(/^\//, "");
    const methods = rest ? ["HEAD", "PATCH", "DELETE", "OPTIONS"] : ["POST", "OPTIONS"];
    const { viewer } = await readSession(services, request.headers);
    // OPTIONS as well: pages of this site alone upload here, and they never ask in advance.
    if (!viewer) return errorResponse("unauthenticated", "Sign in again, then go on.");
    if (viewer.role !== "admin") {
      logRefusal(services.log, "role", uploadsPath);
      return errorResponse("forbidden", "Only administrators can upload.");
    }
    if (!methods.includes(request.method)) return methodNotAllowed(...methods);
    const tus = await load();
    return tus(request, viewer.id);
  };
}
