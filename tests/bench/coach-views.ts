import { searchPeople } from "~/features/accounts/search.server.ts";
import { listCourses } from "~/features/courses/courses.server.ts";
import { listLessons } from "~/features/courses/lesson-list.server.ts";
import { listModulesOfAll } from "~/features/courses/modules.server.ts";
import { listPendingInvitations } from "~/features/enrollments/invitations.server.ts";
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

type View = {
  what: string;
  ask(services: Services, accounts: number, index: number): Promise<unknown>;
};

/** What the coach opens beside the long lists: her courses, the people she looks for, one of them. */
export const coachViews: View[] = [
  {
    what: "courses, newest first",
    ask: (services) =>
      showing(11, listCourses(services, { ...list, sort: "created", direction: "desc" })),
  },
  {
    what: "courses found by a word",
    ask: (services) =>
      showing(11, listCourses(services, { ...list, sort: "title", search: "course" })),
  },
  {
    what: "modules, in their order",
    ask: (services) => showing(10, listModulesOfAll(services, { ...list, sort: "order" })),
  },
  {
    what: "modules of one course",
    ask: (services) =>
      showing(1, listModulesOfAll(services, { ...list, sort: "order", courseId: popular })),
  },
  {
    what: "lessons, in their order",
    ask: (services) => showing(limit, listLessons(services, { ...list, sort: "order" })),
  },
  {
    what: "lessons of one course, found by a word",
    ask: (services) =>
      showing(
        lessonsInAll / 10,
        listLessons(services, { ...list, sort: "title", courseId: popular, search: "lesson" }),
      ),
  },
  {
    what: "people box as it opens",
    ask: (services) => showing(20, searchPeople(services, "")),
  },
  {
    what: "people box, a letter that all have",
    ask: (services) => showing(20, searchPeople(services, "a")),
  },
  {
    what: "people box, a word that all have",
    ask: (services) => showing(20, searchPeople(services, "example")),
  },
  {
    what: "people box, two words that all have",
    ask: (services) => showing(20, searchPeople(services, "lovelace example")),
  },
  {
    what: "people box, one person",
    ask: (services, accounts) =>
      showing(1, searchPeople(services, `lovelace ada${(40 * 7919) % accounts}`)),
  },
  {
    what: "waiting invitations",
    ask: (services) => showing(20, listPendingInvitations(services, { cursor: null, limit: 20 })),
  },
  {
    what: "one student (10 courses) with her mails",
    async ask(services, accounts, index) {
      const id = userId((index * 7919) % accounts);
      const found = await getStudent(services, { id, cursor: null, limit: 20, timeZone: "UTC" });
      if (found?.mails.length !== mailsEach) throw new Error("the mails are missing");
    },
  },
];
