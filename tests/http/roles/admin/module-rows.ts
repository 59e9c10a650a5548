import { newId } from "~/platform/db/ids.ts";
import { adminAt, type Given, ok, type Row, seeOther } from "../row.ts";

const moduleOf = ({ world }: Given, course: "active" | "inactive" | "deleted") =>
  world[course].modules[0]?.id ?? "";
const here = /^\/admin\/modules\/[\w-]{36}$/;

const modules = adminAt("/admin/modules");
const newModule = adminAt("/admin/modules/new");
const module = adminAt("/admin/modules/:id");

export const adminModuleRows: Row[] = [
  modules.page("the list", ok("Module 1", "A course of the world")),
  modules.page(
    "the question before deleting",
    ok("Delete module", "The open lesson"),
    (given) => `/admin/modules?delete=${moduleOf(given, "active")}`,
  ),
  modules.post("deleting what is not there", seeOther("/admin/modules", "Error"), () => ({
    form: { intent: "delete", id: newId() },
  })),
  newModule.page("the form", 200),
  newModule.post(
    "creating",
    seeOther("/admin/modules", "Module created successfully"),
    ({ world }) => ({
      form: { id: newId(), productId: world.inactive.id, title: "Another", orderNum: "9" },
    }),
  ),
  module.page(
    "a module",
    ok("Module 1", "The open lesson"),
    (given) => `/admin/modules/${moduleOf(given, "active")}`,
  ),
  module.page("no such module", 404, "/admin/modules/none"),
  module.page(
    "a module of a deleted course",
    404,
    (given) => `/admin/modules/${moduleOf(given, "deleted")}`,
  ),
  module.post("saving", seeOther(here, "Module updated successfully"), (given) => ({
    id: moduleOf(given, "inactive"),
    form: {
      intent: "save",
      revision: "1",
      productId: given.world.inactive.id,
      title: "Module 1",
      orderNum: "1",
      orderBefore: "1",
    },
  })),
  module.post(
    "saving with everything missing",
    { status: 400, has: ["Title is required", "Choose a course"] },
    (given) => ({ id: moduleOf(given, "active"), form: { intent: "save", revision: "1" } }),
  ),
];
