import { isId } from "~/platform/db/ids.ts";
import { keysetPage, type ListPage } from "~/platform/db/keyset.ts";
import { hasWords } from "~/platform/db/search.ts";
import type { ListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/services.ts";

/** By order number (spec 2, Admin dashboard), unless she asks for something else. */
export const moduleSorts = { order: "asc", title: "asc", course: "asc", created: "desc" } as const;
export type ModuleSort = keyof typeof moduleSorts;

const columns = {
  order: "modules.orderNum",
  title: "modules.title",
  course: "products.title",
  created: "modules.createdAt",
} as const;

export type ListedModule = {
  id: string;
  sortValue: unknown;
  timeValue: unknown;
  title: string;
  orderNum: number;
  productId: string;
  courseTitle: string;
  lessons: number;
};

/** A page of all modules with the titles of their courses; of the same place, the older comes first. */
export function listModulesOfAll(
  { db }: Services,
  params: ListParams<ModuleSort> & { limit: number },
): Promise<ListPage<ListedModule>> {
  const column = columns[params.sort];
  let query = db.read
    .selectFrom("modules")
    .innerJoin("products", "products.id", "modules.productId")
    .select(["modules.id", "modules.title", "modules.orderNum", "modules.productId"])
    .select(["products.title as courseTitle", `${column} as sortValue`])
    .select("modules.createdAt as timeValue")
    .select((eb) =>
      eb
        .selectFrom("lessons")
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .whereRef("lessons.moduleId", "=", "modules.id")
        .where("lessons.deletedAt", "is", null)
        .$asScalar()
        .$notNull()
        .as("lessons"),
    )
    .where("modules.deletedAt", "is", null)
    .where("products.deletedAt", "is", null);
  if (params.courseId) query = query.where("modules.productId", "=", params.courseId);
  if (params.search)
    query = query.where((eb) =>
      eb.or([hasWords("modules.title", params.search), hasWords("products.title", params.search)]),
    );
  const kind = params.sort === "order" ? { kind: "number" as const } : {};
  const ties = { time: "modules.createdAt", id: "modules.id" };
  const order = { column, ...ties, direction: params.direction, ...kind };
  return keysetPage(query, order, params);
}

export type AuthoredModule = {
  id: string;
  productId: string;
  title: string;
  orderNum: number;
  revision: number;
};

/** A module as its author sees it; null when there is none or it was deleted. */
export async function getModule({ db }: Services, id: string): Promise<AuthoredModule | null> {
  if (!isId(id)) return null;
  const module = await db.write
    .selectFrom("modules")
    .select(["id", "productId", "title", "orderNum", "revision"])
    .where("id", "=", id)
    .where("deletedAt", "is", null)
    .executeTakeFirst();
  return module ?? null;
}

/** The number behind the last module of a course; 1 where there is none (spec 9, Defaults). */
export async function nextModuleNumber({ db }: Services, productId: string | null) {
  const last = await db.read
    .selectFrom("modules")
    .select("orderNum")
    .where("productId", "=", productId ?? "")
    .where("deletedAt", "is", null)
    .orderBy("orderNum", "desc")
    .executeTakeFirst();
  return (last?.orderNum ?? 0) + 1;
}

/** The lessons of a module in order, by title. */
export function listLessonsOfModule({ db }: Services, moduleId: string) {
  return db.read
    .selectFrom("lessons")
    .select(["id", "title", "slug"])
    .where("moduleId", "=", moduleId)
    .where("deletedAt", "is", null)
    .orderBy("orderNum")
    .orderBy("createdAt")
    .orderBy("id")
    .execute();
}
