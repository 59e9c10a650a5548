import { data } from "react-router";
import { flash } from "~/platform/http/flash.ts";
import { isTimeZone } from "~/platform/http/time-zone.ts";
import type { Services } from "~/platform/services.ts";
import { firstComplaint } from "../rules.ts";
import { nameField } from "../schema.ts";
import { messages } from "../texts.ts";
import { settingWords } from "./texts.ts";

export type Complaint = { field: string; message: string };

/** Keeps another name (spec 5). @returns what is wrong with it, or null */
export async function changeName(
  { db, clock }: Services,
  userId: string,
  typed: string | undefined,
): Promise<Complaint | null> {
  const parsed = nameField.safeParse({ name: typed });
  if (!parsed.success) return firstComplaint(parsed);
  await db.write
    .updateTable("profiles")
    .set({ name: parsed.data.name, updatedAt: clock.now() })
    .where("id", "=", userId)
    .execute();
  return null;
}

/** Keeps the zone that she chose, or that it is her device's again (''). @returns what is wrong, or null */
export async function chooseTimeZone(
  { db, clock }: Services,
  userId: string,
  zone: string,
): Promise<Complaint | null> {
  if (zone !== "" && (zone.length > 64 || !isTimeZone(zone)))
    return { field: "timeZone", message: settingWords.noZone };
  const chosen = { timeZone: zone, timeZoneChosenAt: clock.now() };
  await db.write
    .updateTable("profiles")
    .set(zone === "" ? { timeZoneChosenAt: null } : chosen)
    .where("id", "=", userId)
    .execute();
  return null;
}

type Asked = { request: Request; context: Parameters<typeof flash>[1] };

/** The page again, with what is wrong at its field and as a toast, and what was typed. */
export function complain<Typed extends Record<string, string | undefined>>(
  { request, context }: Asked,
  complaint: Complaint,
  typed: Typed,
) {
  const toast = { title: messages.validation, description: complaint.message };
  const headers = flash(request, context, { ...toast, tone: "destructive" });
  return data({ complaint, typed }, { status: 400, headers });
}
