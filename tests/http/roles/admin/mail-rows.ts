import { newId } from "~/platform/db/ids.ts";
import { adminOnly, at, type Expected, type Row } from "../row.ts";

export const adminMailRows: Row[] = [
  {
    pattern: "/admin/mail",
    what: "the list",
    page: true,
    ask: at("/admin/mail"),
    expect: adminOnly({ status: 200, has: ["The emails that the site sends by itself."] }),
  },
  {
    pattern: "/admin/mail",
    what: "the list, searched and filtered, somewhere",
    page: true,
    ask: at("/admin/mail?q=nobody&state=failed&at=nowhere"),
    expect: adminOnly({ status: 200, has: ["No emails found"] }),
  },
  ...["again", "now"].map((intent) => posting(intent, { status: 404 })),
  posting("remove", done("Removed from the list")),
  posting("all-again", done("There was nothing to send again")),
  posting("remove-all", done("There was nothing to remove")),
];

function done(toast: string): Expected {
  return { status: 303, location: "/admin/mail", toast };
}

function posting(intent: string, administrator: Expected): Row {
  return {
    pattern: "/admin/mail",
    method: "POST",
    what: `'${intent}', of no letter`,
    page: true,
    ask: () => ({ path: "/admin/mail", form: { intent, id: newId() } }),
    expect: adminOnly(administrator),
  };
}
