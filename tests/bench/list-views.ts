import { listEnrollments } from "~/features/enrollments/manual-enrollments.server.ts";
import { listStudentsWithProgress } from "~/features/progress/students.server.ts";
import type { ListPage } from "~/platform/db/keyset.ts";
import type { Services } from "~/platform/http/services.ts";
import { courseId, rareCourseId } from "./seed.ts";

const limit = 50;
const plain = { search: "", courseId: null, cursor: null, limit } as const;
const popular = courseId(3);

const byEmail = { ...plain, sort: "email", direction: "asc" } as const;
const byName = { ...plain, sort: "name", direction: "asc" } as const;
const joined = { ...plain, sort: "joined", direction: "desc" } as const;
const newest = { ...plain, sort: "created", direction: "desc" } as const;

type Asked<List> = List extends (services: Services, params: infer Params) => unknown
  ? Params
  : never;
type Enrollments = Asked<typeof listEnrollments>;
type Students = Asked<typeof listStudentsWithProgress>;

/** Words of one person: the fortieth, who is somewhere in every list. */
const one = (accounts: number) => `lovelace ada.${(40 * 104729) % accounts}`;

const studentViews: [string, (accounts: number) => Students][] = [
  ["as it opens, by email", () => byEmail],
  ["by name", () => byName],
  ["newest first", () => joined],
  ["of a course that all study, by email", () => ({ ...byEmail, courseId: popular })],
  ["of that course, by name", () => ({ ...byName, courseId: popular })],
  ["of a course with 20 students, by email", () => ({ ...byEmail, courseId: rareCourseId })],
  ["of that course, newest first", () => ({ ...joined, courseId: rareCourseId })],
  ["found by a word that one has", (n) => ({ ...byEmail, search: one(n) })],
  ["found by a word that all have", () => ({ ...byName, search: "example" })],
  ["found by nothing", () => ({ ...byEmail, search: "nobody" })],
];

const enrollmentViews: [string, (accounts: number) => Enrollments][] = [
  ["as it opens, newest first", () => newest],
  ["oldest first", () => ({ ...newest, direction: "asc" })],
  ["by email", () => byEmail],
  ["of a course that all study, newest first", () => ({ ...newest, courseId: popular })],
  ["of that course, by email", () => ({ ...byEmail, courseId: popular })],
  ["of a course with 20 students, newest first", () => ({ ...newest, courseId: rareCourseId })],
  ["of that course, by email", () => ({ ...byEmail, courseId: rareCourseId })],
  ["found by a word that one has", (n) => ({ ...newest, search: one(n) })],
  ["found by a word that all have", () => ({ ...newest, search: "example" })],
  ["found by that word, by email", () => ({ ...byEmail, search: "example" })],
];

type Walk<Params> = (services: Services, params: Params) => Promise<ListPage<{ id: string }>>;

/** The page in the middle of a list, found as no one would: by a place that is made up. */
async function middle<Params extends { cursor: string | null }>(
  list: Walk<Params>,
  services: Services,
  params: Params,
  accounts: number,
) {
  const key = `${params.cursor}${accounts}${JSON.stringify(params)}${services.db.engine}`;
  let cursor = places.get(key);
  if (!cursor) {
    const { next } = await list(services, { ...params, limit: (accounts / 2) | 0 });
    if (!next) throw new Error("the list is too short");
    cursor = next;
    places.set(key, cursor);
  }
  return list(services, { ...params, cursor });
}
const places = new Map<string, string>();

function viewsOf<Params extends { cursor: string | null }>(
  name: string,
  list: Walk<Params>,
  views: [string, (accounts: number) => Params][],
  deep: Params[],
) {
  return [
    ...views.map(([what, params]) => ({
      what: `${name} ${what}`,
      ask: (services: Services, accounts: number) => list(services, params(accounts)),
    })),
    ...deep.map((params) => ({
      what: `${name}, a page in the middle (${JSON.stringify((params as { sort?: string }).sort)})`,
      ask: (services: Services, accounts: number) => middle(list, services, params, accounts),
    })),
  ];
}

/** The admin's long lists as they can be asked for. */
export const listViews = [
  ...viewsOf("students", listStudentsWithProgress, studentViews, [byEmail, byName, joined]),
  ...viewsOf("enrollments", listEnrollments, enrollmentViews, [newest, byEmail]),
];
