import { searchPeople } from "~/features/accounts/search.server.ts";
import { listCourses } from "~/features/courses/courses.server.ts";
import { listLessons } from "~/features/courses/lesson-list.server.ts";
import { listModulesOfAll } from "~/features/courses/modules.server.ts";
import { listPendingInvitations } from "~/features/enrollments/invitations.server.ts";
import { readCareList } from "~/features/figures/care.server.ts";
import { readNeeds } from "~/features/figures/needs.server.ts";
import { readVisits } from "~/features/figures/visits.server.ts";
import { readWeeks } from "~/features/figures/weeks.server.ts";
import { getStudent } from "~/features/progress/students.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { courseId, lessonsInAll, mailsEach, userId } from "./seed.ts";

const limit = 50;
const list = { search: "", courseId: null, cursor: null, direction: "asc", limit } as const;
const popular = courseId(3);

/** Fails unless so many rows came: an empty list is fast, and says nothing. */
async function showing(count: number, asked: Promise<{ rows: unknown[] } | unknown[] | null>) {
  const answer = await asked;
  const rows = Array.isArray(answer) ? answer : answer?.rows;
  if (rows?.length !== count) throw new Error(`${rows?.length} rows instead of ${count}`);
}

type Ask = (services: Services, accounts: number, index: number) => Promise<unknown>;

const asks: [string, Ask][] = [
  [
    "courses, newest first",
    (services) =>
      showing(11, listCourses(services, { ...list, sort: "created", direction: "desc" })),
  ],
  [
    "courses found by a word",
    (services) => showing(11, listCourses(services, { ...list, sort: "title", search: "course" })),
  ],
  [
    "modules, in their order",
    (services) => showing(10, listModulesOfAll(services, { ...list, sort: "order" })),
  ],
  [
    "modules of one course",
    (services) =>
      showing(1, listModulesOfAll(services, { ...list, sort: "order", courseId: popular })),
  ],
  [
    "lessons, in their order",
    (services) => showing(limit, listLessons(services, { ...list, sort: "order" })),
  ],
  [
    "lessons of one course, found by a word",
    (services) => {
      const params = { ...list, sort: "title", courseId: popular, search: "lesson" } as const;
      return showing(lessonsInAll / 10, listLessons(services, params));
    },
  ],
  [
    "overview: what needs the coach, the care list, the weeks and visits",
    (services) =>
      Promise.all([
        readNeeds(services, "Europe/Berlin"),
        readCareList(services, "Europe/Berlin"),
        readWeeks(services, "Europe/Berlin"),
        readVisits(services, "Europe/Berlin"),
      ]),
  ],
  ["people box as it opens", (services) => showing(20, searchPeople(services, ""))],
  ["people box, a letter that all have", (services) => showing(20, searchPeople(services, "a"))],
  [
    "people box, a word that all have",
    (services) => showing(20, searchPeople(services, "example")),
  ],
  [
    "people box, two words that all have",
    (services) => showing(20, searchPeople(services, "lovelace example")),
  ],
  [
    "people box, one person",
    (services, accounts) =>
      showing(1, searchPeople(services, `lovelace ada${(40 * 7919) % accounts}`)),
  ],
  [
    "waiting invitations",
    (services) => showing(20, listPendingInvitations(services, { cursor: null, limit: 20 })),
  ],
  [
    "one student (10 courses) with their emails",
    async (services, accounts, index) => {
      const id = userId((index * 7919) % accounts);
      const found = await getStudent(services, { id, cursor: null, limit: 20, timeZone: "UTC" });
      if (found?.mails.length !== mailsEach) throw new Error("the emails are missing");
    },
  ],
];

/** What the coach opens beside the long lists: courses, the people that are looked for, one of them. */
export const coachViews = asks.map(([what, ask]) => ({ what, ask }));
