import { readSession } from "../auth/session.ts";
import { logRefusal } from "../log/log.ts";
import type { Tus, UploadPolicy } from "../uploads/tus.ts";
import { errorResponse, methodNotAllowed } from "../utils/errors.ts";
import type { Services } from "./services.ts";

export const uploadsPath = "/uploads";

/** Resumable uploads (tus 1.0) of admins. Refusals of a file are plain sentences to show. */
export function uploadsHandler(
  services: Services,
  policy: UploadPolicy<Services>,
): (request: Request) => Promise<Response> {
  let loading: Promise<Tus> | undefined;
  // Loaded with the first upload: the site starts faster without it.
  const load = () => {
    loading ??= import("../uploads/tus.ts").then(({ createTus }) => createTus(services, policy));
    return loading;
  };

  return async (request) => {
    const rest = new URL(request.url).pathname.slice(uploadsPath.length).replace(/^\//, "");
    const methods = rest ? ["HEAD", "PATCH", "DELETE", "OPTIONS"] : ["POST", "OPTIONS"];
    const { viewer } = await readSession(services, request.headers);
    // OPTIONS as well: only pages of this site upload here, and they send no preflight.
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
