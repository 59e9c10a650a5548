import { newId } from "~/platform/db/ids.ts";
import { adminOnly, type Expected, ok, page, post, type Row, seeOther } from "../row.ts";

export const adminMailRows: Row[] = [
  page("/admin/mail", "the list", adminOnly(ok("The emails that the site sends by itself."))),
  page(
    "/admin/mail",
    "the list, searched and filtered, somewhere",
    adminOnly(ok("No emails found")),
    "/admin/mail?q=nobody&state=failed&at=nowhere",
  ),
  page("/admin/overview", "the overview", adminOnly(ok("Newest students", "Grace"))),
  page("/admin/newsletter", "the list's numbers", adminOnly(ok("Confirmed", "Waiting"))),
  page("/admin/settings", "the settings", adminOnly(ok("Audit log", "Your account"))),
  ...["again", "now"].map((intent) => posting(intent, 404)),
  posting("test", ok("The test email was written to a file", ".eml")),
  posting("remove", done("Removed from the list")),
  posting("all-again", done("There was nothing to send again")),
  posting("remove-all", done("There was nothing to remove")),
];

function done(toast: string): Expected {
  return seeOther("/admin/mail", toast);
}

function posting(intent: string, administrator: Expected | number): Row {
  const asked = post("/admin/mail", `'${intent}', of no email`, adminOnly(administrator), () => ({
    form: { intent, id: newId() },
  }));
  return { ...asked, page: true };
}
