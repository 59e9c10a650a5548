import { newId } from "~/platform/db/ids.ts";
import { adminOnly, at, type Row } from "../row.ts";

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
    expect: adminOnly({ status: 200, has: ["Grace", "A course of the world", "Mails sent"] }),
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
