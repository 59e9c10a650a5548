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

export class Refused extends Error {
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

export function wantsJson(request: Request): boolean {
  const accepted = request.headers.get("accept") ?? "";
  return new URL(request.url).pathname.startsWith("/api/") || accepted.includes("application/json");
}

export function errorResponse(code: ErrorCode, message: string, field?: string): Response {
  return Response.json({ error: { code, message, field } }, { status: statusOf[code] });
}

/** A refusal as JSON. @throws any other error */
export function refusedJson(error: unknown): Response {
  if (error instanceof Refused) return errorResponse(error.code, error.message);
  throw error;
}

/** Names the methods that the address takes (RFC 9110, 15.5.6). */
export function methodNotAllowed(...methods: string[]): Response {
  const message = `Use ${methods.filter((method) => method !== "HEAD").join(" or ")}.`;
  const headers = { Allow: methods.join(", ") };
  return Response.json(
    { error: { code: "method_not_allowed", message } },
    { status: 405, headers },
  );
}

export class CommandError extends Error {}

export class CannotListen extends Error {
  constructor(cause: NodeJS.ErrnoException, { port, host }: { port: number; host: string }) {
    super(
      cause.code === "EADDRINUSE"
        ? `PORT: ${port} is taken by another program.`
        : cause.code === "EACCES"
          ? `PORT: not allowed to listen on ${port}.`
          : `HOST: cannot listen on ${host} (${cause.message}).`,
      { cause },
    );
  }
}
