import { Refused, statusOf } from "../utils/errors.ts";
import type { Toast } from "./flash.ts";
import type { Services } from "./services.ts";

/** A refusal's message, else `fallback` (spec 8, Admin save errors). @throws responses */
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

function isAnswer(error: unknown): boolean {
  if (error instanceof Response) return true;
  return (error as { type?: unknown } | null)?.type === "DataWithResponseInit";
}
