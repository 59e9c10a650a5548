import { renewSession } from "~/platform/auth/renew.ts";
import type { Services } from "~/platform/services.ts";
import { beginApp, finishApp } from "../factors/commands.server.ts";
import { shownCode } from "../factors/rules.ts";
import { appCodeField, nameField } from "../factors/schema.ts";
import { proveOwner } from "../owner/commands.server.ts";
import { firstMessage } from "../rules.ts";

type Form = {
  userId: string;
  sessionId: string;
  /** The app that is being set up; null for the first form, which names it. */
  id: string | null;
  fields: Record<string, string | undefined>;
};

type Complaint = { field: string; message: string };
type Result =
  | { begun: string }
  /** `codes`: the first app's recovery codes, as they are shown. */
  | { added: { codes: string[] | null; setCookies: string[] } }
  | Complaint;

/** The two forms of adding an authenticator app: its name and who asks; then a code that it shows. */
export async function setUpApp(services: Services, form: Form): Promise<Result> {
  const { userId, sessionId, id, fields } = form;
  if (id === null || fields.intent === "begin") return begin(services, form);
  const parsed = appCodeField.safeParse(fields);
  if (!parsed.success) return { field: "code", message: firstMessage(parsed) ?? "" };
  const done = await finishApp(services, { userId, sessionId, id, code: parsed.data.code });
  if ("problem" in done) return { field: "code", message: done.problem };
  if (!done.codes) return { added: { codes: null, setCookies: [] } };
  // What this session was known by before is worth nothing any more.
  const cookie = await renewSession(services, sessionId, "owner");
  const setCookies = cookie ? [cookie] : [];
  return { added: { codes: done.codes.map(shownCode), setCookies } };
}

async function begin(services: Services, form: Form): Promise<Result> {
  const parsed = nameField.safeParse(form.fields);
  if (!parsed.success) return { field: "name", message: firstMessage(parsed) ?? "" };
  const complaint = await proveOwner(services, form);
  if (complaint) return complaint;
  const begun = await beginApp(services, { userId: form.userId, name: parsed.data.name });
  return "id" in begun ? { begun: begun.id } : { field: "name", message: begun.problem };
}
