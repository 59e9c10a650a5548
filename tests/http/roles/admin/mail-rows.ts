import { suppressedPath } from "~/features/suppressions/messages.ts";
import { newId } from "~/platform/db/ids.ts";
import {
  adminAt,
  adminOnly,
  type Expected,
  found,
  ok,
  page,
  post,
  type Row,
  seeOther,
} from "../row.ts";

const suppressed = adminAt(suppressedPath);
const changing = (...row: Parameters<typeof suppressed.post>) => ({
  ...suppressed.post(...row),
  page: true,
});

export const adminMailRows: Row[] = [
  page("/admin/mail", "the list", adminOnly(ok("The emails that the site sends by itself."))),
  page(
    "/admin/mail",
    "the list, searched and filtered, somewhere",
    adminOnly(ok("No emails found")),
    "/admin/mail?q=nobody&state=failed&at=nowhere",
  ),
  suppressed.page("the addresses that get none", ok("Addresses that get no email")),
  suppressed.page(
    "the addresses, searched and filtered, somewhere",
    ok("No such address"),
    `${suppressedPath}?q=nobody&kind=bounce&at=nowhere&delete=nobody@example.com`,
  ),
  changing("adding one", seeOther(suppressedPath, "Added to the list"), () => ({
    form: { intent: "add", address: `${newId()}@example.com` },
  })),
  changing("adding none", 400, { form: { intent: "add", address: "" } }),
  changing("lifting one", seeOther(suppressedPath, "This address gets email again"), {
    form: { intent: "lift", id: "nobody@example.com" },
  }),
  page(
    "/admin/course-emails",
    "what the coach wrote to students",
    adminOnly(ok("Sent so far", "Choose a course")),
  ),
  writing("preview", ok("This is what will be sent", "A word from me.")),
  writing("send", toStudents("Your email is on its way")),
  {
    ...post("/admin/course-emails", "'stop', of none", adminOnly(toStudents("Error")), () => ({
      form: { intent: "stop", id: newId() },
    })),
    page: true,
  },
  {
    ...post("/admin/course-emails", "'resume', of none", adminOnly(toStudents("Error")), () => ({
      form: { intent: "resume", id: newId() },
    })),
    page: true,
  },
  {
    ...post("/admin/course-emails", "one without a course", adminOnly(400), {
      form: { intent: "send", subject: "Hello", text: "A word from me." },
    }),
    page: true,
  },
  page("/admin", "the overview", adminOnly(ok("This week", "Newest students", "Grace"))),
  page("/admin/overview", "where it was before", adminOnly(found("/admin"))),
  page("/admin/visits", "the visits", adminOnly(ok("How it is counted"))),
  page("/admin/newsletter", "the list's numbers", adminOnly(ok("Confirmed", "Waiting"))),
  page("/admin/settings", "the settings", adminOnly(ok("Audit log", "Your account"))),
  ...["again", "now"].map((intent) => posting(intent, 404)),
  posting("test", ok("The test email was written to a file", ".eml")),
  posting("remove", done("Removed from the list")),
  posting("all-again", done("There was nothing to send again")),
  posting("remove-all", done("There was nothing to remove")),
];

function toStudents(toast: string): Expected {
  return seeOther("/admin/course-emails", toast);
}

/** An email to the students of an active course. */
function writing(intent: string, administrator: Expected): Row {
  const text = "A word from me.";
  const asked = post(
    "/admin/course-emails",
    `'${intent}'`,
    adminOnly(administrator),
    ({ world }) => {
      const id = newId();
      return { form: { intent, id, productId: world.active.id, subject: `Hello ${id}`, text } };
    },
  );
  return { ...asked, page: true };
}

function done(toast: string): Expected {
  return seeOther("/admin/mail", toast);
}

function posting(intent: string, administrator: Expected | number): Row {
  const asked = post("/admin/mail", `'${intent}', of no email`, adminOnly(administrator), () => ({
    form: { intent, id: newId() },
  }));
  return { ...asked, page: true };
}
