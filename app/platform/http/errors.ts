import type { Services } from "../services.ts";

/** The few ways in which an operation can be refused, and their HTTP status. */
export const statusOf = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_enrolled: 403,
  locked: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
  no_room: 507,
} as const;

export type ErrorCode = keyof typeof statusOf;

/** An operation was refused for a reason that its caller can understand. `message` is fit to be shown. */
export class Refused extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Whether the answer is for a script: an operation's address, or one that asks for JSON. */
export function wantsJson(request: Request): boolean {
  const accepted = request.headers.get("accept") ?? "";
  return new URL(request.url).pathname.startsWith("/api/") || accepted.includes("application/json");
}

/**
 * `{error: {code, message}}` with the right status (design section 4), and the name of the field
 * if it is about one.
 */
export function errorResponse(code: ErrorCode, message: string, field?: string): Response {
  return Response.json({ error: { code, message, field } }, { status: statusOf[code] });
}

/** The same for a method that an address does not take; it says which it does (RFC 9110, 15.5.6). */
export function methodNotAllowed(...methods: string[]): Response {
  const message = `Use ${methods.filter((method) => method !== "HEAD").join(" or ")}.`;
  const headers = { Allow: methods.join(", ") };
  return Response.json(
    { error: { code: "method_not_allowed", message } },
    { status: 405, headers },
  );
}

/**
 * What to show of a failed save: the reason of a refusal, else `fallback`, and then the log has the
 * reason (spec 8, Admin save errors). Answers that were thrown go on as they are.
 */
export function reasonToShow({ log }: Services, error: unknown, fallback: string): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof Response) throw error;
  log.error({ err: error }, fallback);
  return fallback;
}
