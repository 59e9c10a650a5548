import { stripeId } from "./objects.ts";

/** An answer in the shape of Stripe's errors. */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | undefined;
  readonly param: string | undefined;
  constructor(
    status: number,
    message: string,
    {
      type = "invalid_request_error",
      code,
      param,
    }: Partial<Record<"type" | "code" | "param", string>> = {},
  ) {
    super(message);
    this.status = status;
    this.type = type;
    this.code = code;
    this.param = param;
  }

  body() {
    const { code, param, type, message } = this;
    return {
      error: {
        ...(code ? { code, doc_url: `https://stripe.com/docs/error-codes/${code}` } : {}),
        message,
        ...(param ? { param } : {}),
        request_log_url: `https://dashboard.stripe.com/test/logs/${stripeId("req")}`,
        type,
      },
    };
  }
}

export const missing = (what: string, id: string) =>
  new ApiError(404, `No such ${what}: '${id}'`, { code: "resource_missing", param: "id" });

export const invalid = (message: string, param: string, code = "parameter_invalid") =>
  new ApiError(400, message, { code, param });
