import { renewSession } from "~/platform/auth/sessions.ts";
import type { Query } from "~/platform/db/database.ts";
import type { Services } from "~/platform/http/services.ts";
import { protectPath } from "./messages.ts";
import { reauthenticate } from "./reauthentication.server.ts";
import { authPath, firstMessage, shownCode } from "./rules.ts";
import { appCodeField, type FieldError, factorNameField } from "./schema.ts";
import { finishAppSetup, hasAppOrPasskey, startAppSetup } from "./two-factor.server.ts";

type Form = {
  userId: string;
  sessionId: string;
  /** The app being set up; null for the first form, which names it. */
  id: string | null;
  fields: Record<string, string | undefined>;
};

type Result =
  | { begun: string }
  /** `codes`: backup codes, with the first app only. */
  | { added: { codes: string[] | null; setCookies: string[] } }
  | FieldError;

export async function submitAppSetup(services: Services, form: Form): Promise<Result> {
  const { userId, sessionId, id, fields } = form;
  if (id === null || fields.intent === "begin") return begin(services, form);
  const parsed = appCodeField.safeParse(fields);
  if (!parsed.success) return { field: "code", message: firstMessage(parsed) ?? "" };
  const done = await finishAppSetup(services, { userId, sessionId, id, code: parsed.data.code });
  if ("problem" in done) return { field: "code", message: done.problem };
  if (!done.codes) return { added: { codes: null, setCookies: [] } };
  // Invalidates the old session token.
  const cookie = await renewSession(services, sessionId, "owner");
  const setCookies = cookie ? [cookie] : [];
  return { added: { codes: done.codes.map(shownCode), setCookies } };
}

async function begin(services: Services, form: Form): Promise<Result> {
  const parsed = factorNameField.safeParse(form.fields);
  if (!parsed.success) return { field: "name", message: firstMessage(parsed) ?? "" };
  const fieldError = await reauthenticate(services, form);
  if (fieldError) return fieldError;
  const begun = await startAppSetup(services, { userId: form.userId, name: parsed.data.name });
  return "id" in begun ? { begun: begun.id } : { field: "name", message: begun.problem };
}

/** Selects an administrator who is due for a two-factor prompt (docs/decisions/007). */
export function findUnprotectedAdmin(db: Query, { userId, now }: { userId: string; now: Date }) {
  return (
    db
      .selectFrom("profiles")
      .select("profiles.id")
      .where("profiles.id", "=", userId)
      // The account's role: ADMIN_SECOND_FACTOR removes the role from the session.
      .where("role", "=", "admin")
      .where((eb) => eb.or([eb("factorReminderAt", "is", null), eb("factorReminderAt", "<=", now)]))
      .where(({ not }) => not(hasAppOrPasskey("profiles.id")))
  );
}

export async function isTwoFactorPromptDue(
  { db, clock }: Services,
  userId: string,
): Promise<boolean> {
  const found = findUnprotectedAdmin(db.write, { userId, now: clock.now() });
  return (await found.executeTakeFirst()) !== undefined;
}

/** The destination after sign-in, by way of the two-factor prompt if that is due. */
export async function twoFactorPromptPath(
  services: Services,
  userId: string,
  destination: string,
): Promise<string> {
  return (await isTwoFactorPromptDue(services, userId))
    ? authPath(destination, protectPath)
    : destination;
}

const weekMs = 7 * 24 * 3600_000;

export async function postponeTwoFactorPrompt(
  { db, clock }: Services,
  userId: string,
): Promise<void> {
  const now = clock.now();
  await db.write
    .updateTable("profiles")
    .set({ factorReminderAt: new Date(now.getTime() + weekMs) })
    .where("id", "in", findUnprotectedAdmin(db.write, { userId, now }))
    .execute();
}
