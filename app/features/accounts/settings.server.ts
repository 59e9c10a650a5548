import { data } from "react-router";
import { authMessages, settingsMessages } from "~/features/auth/messages.ts";
import { firstFieldError } from "~/features/auth/rules.ts";
import { type FieldError, nameField } from "~/features/auth/schema.ts";
import { flash } from "~/platform/http/flash.ts";
import type { Services } from "~/platform/http/services.ts";
import { isTimeZone } from "~/platform/http/time-zone.ts";

/** Saves a new name (spec 5). @returns a field error, or null */
export async function changeName(
  { db, clock }: Services,
  userId: string,
  typed: string | undefined,
): Promise<FieldError | null> {
  const parsed = nameField.safeParse({ name: typed });
  if (!parsed.success) return firstFieldError(parsed);
  await db.write
    .updateTable("profiles")
    .set({ name: parsed.data.name, updatedAt: clock.now() })
    .where("id", "=", userId)
    .execute();
  return null;
}

/** Saves a time zone; '' follows the device again. @returns a field error, or null */
export async function chooseTimeZone(
  { db, clock }: Services,
  userId: string,
  zone: string,
): Promise<FieldError | null> {
  if (zone !== "" && (zone.length > 64 || !isTimeZone(zone)))
    return { field: "timeZone", message: settingsMessages.noZone };
  const chosen = { timeZone: zone, timeZoneChosenAt: clock.now() };
  await db.write
    .updateTable("profiles")
    .set(zone === "" ? { timeZoneChosenAt: null } : chosen)
    .where("id", "=", userId)
    .execute();
  return null;
}

/** Answers a refused form: its first error, also as a toast, and what was typed. */
export function formErrorResponse<Typed extends Record<string, string | undefined>>(
  { request, context }: { request: Request; context: Parameters<typeof flash>[1] },
  fieldError: FieldError,
  typed: Typed,
  title: string = authMessages.validation,
) {
  const toast = { title, description: fieldError.message };
  const headers = flash(request, context, { ...toast, tone: "destructive" });
  return data({ fieldError, typed }, { status: 400, headers });
}
