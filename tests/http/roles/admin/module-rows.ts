import { newId } from "~/platform/db/ids.ts";
import { adminOnly, at, type Given, type Row } from "../row.ts";

const moduleOf = ({ world }: Given, course: "active" | "inactive" | "deleted") =>
  world[course].modules[0]?.id ?? "";
const here = /^\/admin\/modules\/[\w-]{36}$/;

export const adminModuleRows: Row[] = [
  {
    pattern: "/admin/modules",
    what: "the list",
    page: true,
    ask: at("/admin/modules"),
    expect: adminOnly({ status: 200, has: ["Module 1", "A course of the world"] }),
  },
  {
    pattern: "/admin/modules",
    what: "the question before deleting",
    page: true,
    ask: (given) => ({ path: `/admin/modules?delete=${moduleOf(given, "active")}` }),
    expect: adminOnly({ status: 200, has: ["Delete module", "The open lesson"] }),
  },
  {
    pattern: "/admin/modules",
    what: "deleting what is not there",
    method: "POST",
    ask: () => ({ path: "/admin/modules", form: { intent: "delete", id: newId() } }),
    expect: adminOnly({ status: 303, location: "/admin/modules", toast: "Error" }),
  },
  {
    pattern: "/admin/modules/new",
    what: "the form",
    page: true,
    ask: at("/admin/modules/new"),
    expect: adminOnly({ status: 200 }),
  },
  {
    pattern: "/admin/modules/new",
    what: "creating",
    method: "POST",
    ask: ({ world }) => ({
      path: "/admin/modules/new",
      form: { id: newId(), productId: world.inactive.id, title: "Another", orderNum: "9" },
    }),
    expect: adminOnly({
      status: 303,
      location: "/admin/modules",
      toast: "Module created successfully",
    }),
  },
  {
    pattern: "/admin/modules/:id",
    what: "a module",
    page: true,
    ask: (given) => ({ path: `/admin/modules/${moduleOf(given, "active")}` }),
    expect: adminOnly({ status: 200, has: ["Module 1", "The open lesson"] }),
  },
  {
    pattern: "/admin/modules/:id",
    what: "no such module",
    page: true,
    ask: at("/admin/modules/none"),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/modules/:id",
    what: "a module of a deleted course",
    page: true,
    ask: (given) => ({ path: `/admin/modules/${moduleOf(given, "deleted")}` }),
    expect: adminOnly({ status: 404 }),
  },
  {
    pattern: "/admin/modules/:id",
    what: "saving",
    method: "POST",
    ask: (given) => ({
      path: `/admin/modules/${moduleOf(given, "inactive")}`,
      form: {
        intent: "save",
        revision: "1",
        productId: given.world.inactive.id,
        title: "Module 1",
        orderNum: "1",
        orderBefore: "1",
      },
    }),
    expect: adminOnly({ status: 303, location: here, toast: "Module updated successfully" }),
  },
  {
    pattern: "/admin/modules/:id",
    what: "saving with everything missing",
    method: "POST",
    ask: (given) => ({
      path: `/admin/modules/${moduleOf(given, "active")}`,
      form: { intent: "save", revision: "1" },
    }),
    expect: adminOnly({ status: 400, has: ["Title is required", "Choose a course"] }),
  },
];
