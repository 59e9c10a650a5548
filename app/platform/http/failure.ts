import type { Services } from "../services.ts";
import { Refused, statusOf } from "./errors.ts";
import type { Toast } from "./flash.ts";

/**
 * How it is told that something could not be done: in the words of whoever refused it, else in
 * those of the error catalogue, and then the log says more (spec 8, Admin save errors).
 * @throws the error itself, if it is an answer
 */
export function failure(
  { log }: Pick<Services, "log">,
  error: unknown,
  fallback: string,
): { status: number; message: string; toast: Toast } {
  if (isAnswer(error)) throw error;
  const isRefused = error instanceof Refused;
  if (!isRefused) log.error({ err: error }, fallback);
  const message = isRefused ? error.message : fallback;
  const toast = { title: "Error", description: message, tone: "destructive" } as const;
  return { status: isRefused ? statusOf[error.code] : 500, message, toast };
}

/** A response, or what `data()` makes. */
function isAnswer(error: unknown): boolean {
  if (error instanceof Response) return true;
  return (error as { type?: unknown } | null)?.type === "DataWithResponseInit";
}
