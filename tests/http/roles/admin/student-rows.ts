import {
  inviteAdministrator,
  listAdminInvitations,
} from "~/features/accounts/admin-invitations.server.ts";
import { suspend } from "~/features/accounts/suspension.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createPerson } from "../../../support/people.ts";
import { adminAt, ok, type Row, seeOther } from "../row.ts";

const someone = /^\/admin\/students\/[\w-]{36}$/;

/** An account that was suspended. @returns its id */
async function suspended(services: Services): Promise<string> {
  const [{ id }, { id: by }] = [
    await createPerson(services),
    await createPerson(services, { role: "admin" }),
  ];
  await suspend(services, { id, reason: "", by });
  return id;
}

const students = adminAt("/admin/students");
const student = adminAt("/admin/students/:id");
const audit = adminAt("/admin/audit");
const exported = adminAt("/admin/export/:list");

const list = "/admin/administrators";
const administrators = adminAt(list);

const administratorRows: Row[] = [
  administrators.page("the list", ok("Who can open this area.", "Invite an administrator")),
  administrators.page(
    "the question before one is removed",
    ok("as an administrator?"),
    async ({ services }) => {
      const { id } = await createPerson(services, { role: "admin" });
      return `${list}?remove=${id}`;
    },
  ),
  administrators.post(
    "an invitation without an address",
    { status: 400, has: ["Invalid email format"] },
    { form: { intent: "invite", email: "" } },
  ),
  administrators.post("an invitation", seeOther(list, "Invitation written to a file"), {
    form: { intent: "invite", email: "vera@example.com" },
  }),
  administrators.post(
    "withdrawing an invitation",
    seeOther(list, "Invitation withdrawn"),
    async ({ services }) => {
      const email = `${newId()}@example.com`;
      const by = await createPerson(services, { role: "admin" });
      await inviteAdministrator(services, { typed: email, by });
      const [invitation] = await listAdminInvitations(services);
      return { form: { intent: "withdraw", id: invitation?.id ?? "" } };
    },
  ),
  administrators.post(
    "removing another one",
    seeOther(list, "Administrator removed"),
    async ({ services }) => {
      const { id } = await createPerson(services, { role: "admin" });
      return { form: { intent: "remove", id } };
    },
  ),
  administrators.post("nothing that is known", 400, { form: { intent: "x" } }),
];

export const adminStudentRows: Row[] = [
  ...administratorRows,
  students.page("the list", ok("Everybody who has an account.", "Grace")),
  students.page(
    "the list, searched, filtered, sorted, somewhere",
    ok("Grace"),
    ({ world }) => `/admin/students?q=grace&course=${world.active.id}&sort=-name&at=nowhere`,
  ),
  student.page(
    "somebody who studies",
    ok("Grace", "A course of the world", "Emails"),
    ({ world }) => `/admin/students/${world.other.id}`,
  ),
  student.page("no such account", 404, `/admin/students/${newId()}`),
  student.page("no id", 404, "/admin/students/none"),
  student.post(
    "suspending an account",
    seeOther(someone, "Account suspended"),
    async ({ services }) => ({
      id: (await createPerson(services)).id,
      form: { intent: "suspend", reason: "She asked for it." },
    }),
  ),
  student.post(
    "letting an account in again",
    seeOther(someone, "Account unsuspended"),
    async ({ services }) => ({ id: await suspended(services), form: { intent: "let-in" } }),
  ),
  student.post(
    "suspending oneself",
    { status: 403, has: ["You cannot suspend your own account."] },
    ({ as }) => ({ id: as?.id, form: { intent: "suspend" } }),
  ),
  student.post("suspending an unknown account", 404, () => ({
    id: newId(),
    form: { intent: "suspend" },
  })),
  student.post("nothing that is known", 400, ({ world }) => ({
    id: world.other.id,
    form: { intent: "x" },
  })),
  audit.page("the list", ok("Audit log")),
  adminAt("/admin/help").page("the numbers and their sources", ok("Help numbers")),
  audit.page(
    "the list, filtered, somewhere",
    ok("Nothing found"),
    "/admin/audit?kind=mail&by=nobody&at=nowhere",
  ),
  exported.page("the subscribers", ok("first_name,email,"), "/admin/export/subscribers"),
  exported.page("what was done", ok("at,by,what,"), "/admin/export/audit"),
  ...["enrollments", "students"].map(
    (list): Row =>
      exported.page(`the list of ${list}`, ok("name,email,", "Grace"), `/admin/export/${list}`),
  ),
  exported.page("the list of payments", ok("paid_at,name,"), "/admin/export/payments"),
  exported.page("a list that there is not", 404, "/admin/export/journals"),
];
