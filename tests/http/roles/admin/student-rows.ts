import { suspend } from "~/features/accounts/suspension.server.ts";
import { newId } from "~/platform/db/ids.ts";
import type { Services } from "~/platform/http/services.ts";
import { createPerson } from "../../../support/people.ts";
import { adminOnly, at, type Row } from "../row.ts";

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

export const adminStudentRows: Row[] = [
  {
    pattern: "/admin/students",
    what: "the list",
    page: true,
    ask: at("/admin/students"),
    expect: adminOnly({ status: 200, has: ["Everybody who has an account.", "Grace"] }),
  },
  {
    pattern: "/admin/students",
    what: "the list, searched, filtered, sorted, somewhere",
    page: true,
    ask: ({ world }) => ({
      path: `/admin/students?q=grace&course=${world.active.id}&sort=-name&at=nowhere`,
    }),
    expect: adminOnly({ status: 200, has: ["Grace"] }),
  },
  {
    pattern: "/admin/students/:id",
    what: "somebody who studies",
    page: true,
    ask: ({ world }) => ({ path: `/admin/students/${world.other.id}` }),
    expect: adminOnly({ status: 200, has: ["Grace", "A course of the world", "Emails sent"] }),
  },
  {
    pattern: "/admin/students/:id",
    what: "nobody",
    page: true,
    ask: at(`/admin/students/${newId()}`),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/students/:id",
    what: "no id",
    page: true,
    ask: at("/admin/students/none"),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/students/:id",
    what: "suspending an account",
    method: "POST",
    ask: async ({ services }) => ({
      path: `/admin/students/${(await createPerson(services)).id}`,
      form: { intent: "suspend", reason: "She asked for it." },
    }),
    expect: adminOnly({ status: 303, location: someone, toast: "Account suspended" }),
  },
  {
    pattern: "/admin/students/:id",
    what: "letting an account in again",
    method: "POST",
    ask: async ({ services }) => ({
      path: `/admin/students/${await suspended(services)}`,
      form: { intent: "let-in" },
    }),
    expect: adminOnly({ status: 303, location: someone, toast: "Account unsuspended" }),
  },
  {
    pattern: "/admin/students/:id",
    what: "suspending oneself",
    method: "POST",
    ask: ({ as }) => ({ path: `/admin/students/${as?.id}`, form: { intent: "suspend" } }),
    expect: adminOnly({ status: 403, has: ["You cannot suspend your own account."] }),
  },
  {
    pattern: "/admin/students/:id",
    what: "suspending nobody",
    method: "POST",
    ask: () => ({ path: `/admin/students/${newId()}`, form: { intent: "suspend" } }),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/students/:id",
    what: "nothing that is known",
    method: "POST",
    ask: ({ world }) => ({ path: `/admin/students/${world.other.id}`, form: { intent: "x" } }),
    expect: adminOnly({ status: 400 }),
  },
  {
    pattern: "/admin/audit",
    what: "the list",
    page: true,
    ask: at("/admin/audit"),
    expect: adminOnly({ status: 200, has: ["Audit log"] }),
  },
  {
    pattern: "/admin/audit",
    what: "the list, filtered, somewhere",
    page: true,
    ask: at("/admin/audit?kind=mail&by=nobody&at=nowhere"),
    expect: adminOnly({ status: 200, has: ["Nothing found"] }),
  },
  {
    pattern: "/admin/export/:list",
    what: "what was done",
    page: true,
    ask: at("/admin/export/audit"),
    expect: adminOnly({ status: 200, has: ["at,by,what,"] }),
  },
  ...["enrollments", "students"].map(
    (list): Row => ({
      pattern: "/admin/export/:list",
      what: `the list of ${list}`,
      page: true,
      ask: at(`/admin/export/${list}`),
      expect: adminOnly({ status: 200, has: ["name,email,", "Grace"] }),
    }),
  ),
  {
    pattern: "/admin/export/:list",
    what: "a list that there is not",
    page: true,
    ask: at("/admin/export/journals"),
    expect: adminOnly({ status: 404 }),
  },
];
