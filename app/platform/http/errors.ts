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

/** `{error: {code, message}}` with the right status (design section 4). */
export function errorResponse(code: ErrorCode | "method_not_allowed", message: string): Response {
  const status = code === "method_not_allowed" ? 405 : statusOf[code];
  return Response.json({ error: { code, message } }, { status });
}
