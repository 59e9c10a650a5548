import { listAudit } from "~/features/accounts/audit/queries.server.ts";
import { readAuditFilter } from "~/features/accounts/audit/rules.ts";
import { auditActions } from "~/features/accounts/audit/texts.ts";
import { lessonSorts, listLessons } from "~/features/courses/listing/queries.server.ts";
import { listModulesOfAll, moduleSorts } from "~/features/courses/modules/queries.server.ts";
import { courseSorts, listCourses } from "~/features/courses/products/queries.server.ts";
import { listEnrollments } from "~/features/enrollments/roster/queries.server.ts";
import { rosterSorts } from "~/features/enrollments/roster/schema.ts";
import { asCsv } from "~/platform/csv.ts";
import type { ListPage } from "~/platform/db/keyset.ts";
import { type ListParams, readListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/services.ts";
import { listStudents } from "../students/queries.server.ts";
import { studentSorts } from "../students/schema.ts";
import { type Cell, dollars, written } from "./rules.ts";

const rowsAtOnce = 1000;

type List<Sort extends string, Row> = {
  sorts: Record<Sort, "asc" | "desc">;
  page(
    services: Services,
    params: ListParams<Sort> & { limit: number },
    url: URL,
  ): Promise<ListPage<Row>>;
  /** The file's columns; none of them ever leads to the journal. */
  columns: Record<string, (row: Row) => Cell>;
};

const courses = list({
  sorts: courseSorts,
  page: listCourses,
  columns: {
    title: ({ title }) => title,
    slug: ({ slug }) => slug,
    price: ({ priceCents }) => dollars(priceCents),
    active: ({ active }) => active,
    lessons: ({ lessons }) => lessons,
  },
});

const modules = list({
  sorts: moduleSorts,
  page: listModulesOfAll,
  columns: {
    title: ({ title }) => title,
    course: ({ courseTitle }) => courseTitle,
    order: ({ orderNum }) => orderNum,
    lessons: ({ lessons }) => lessons,
  },
});

const lessons = list({
  sorts: lessonSorts,
  page: (services, params, url) =>
    listLessons(services, {
      ...params,
      moduleId: url.searchParams.get("module")?.replaceAll("\0", "") || null,
    }),
  columns: {
    title: ({ title }) => title,
    slug: ({ slug }) => slug,
    course: ({ courseTitle }) => courseTitle,
    module: ({ moduleTitle }) => moduleTitle,
    order: ({ orderNum }) => orderNum,
    drip_day: ({ dripDay }) => dripDay,
    video: ({ hasVideo }) => hasVideo,
    audio: ({ hasAudio }) => hasAudio,
  },
});

const enrollments = list({
  sorts: rosterSorts,
  page: listEnrollments,
  columns: {
    name: ({ name }) => name,
    email: ({ email }) => email,
    course: ({ course }) => course,
    enrolled_at: ({ createdAt }) => createdAt,
    payment: ({ stripePaymentId }) => stripePaymentId,
  },
});

const students = list({
  sorts: studentSorts,
  page: listStudents,
  columns: {
    name: ({ name }) => name,
    email: ({ email }) => email,
    confirmed: ({ emailVerified }) => emailVerified,
    administrator: ({ isAdmin }) => isAdmin,
    suspended_at: ({ suspendedAt }) => suspendedAt,
    joined_at: ({ createdAt }) => createdAt,
  },
});

const audit = list({
  sorts: { newest: "desc" },
  page: (services, { cursor, limit }, url) =>
    listAudit(services, { ...readAuditFilter(url), cursor, limit }),
  columns: {
    at: ({ createdAt }) => createdAt,
    by: ({ actorName }) => actorName,
    what: ({ action }) => auditActions[action] ?? action,
    about: ({ label }) => label,
    person: ({ personName }) => personName,
    details: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join(", "),
  },
});

const lists = new Map(Object.entries({ courses, modules, lessons, enrollments, students, audit }));

type Part = { text: string; next: string | null };

/** A list as text for a spreadsheet, a part at a time: from a place in it to the next. */
function list<Sort extends string, Row>({ sorts, page, columns }: List<Sort, Row>) {
  const headings = Object.keys(columns);
  const cells = Object.values(columns);
  return {
    async part(services: Services, url: URL, cursor: string | null): Promise<Part> {
      const params = { ...readListParams(url, sorts), cursor, limit: rowsAtOnce };
      const { rows, next } = await page(services, params, url);
      const lines = rows.map((row) => cells.map((cell) => written(cell(row))));
      const isFirst = cursor === null;
      const text = asCsv(isFirst ? [headings, ...lines] : lines, {
        // Without the mark, Excel takes the file for one of its own old alphabets.
        bom: isFirst,
        record_delimiter: "windows",
      });
      return { text, next };
    },
  };
}

/**
 * A list of the admin as CSV, with the search, filter and order of its address; null when there is
 * no such list. It is read a thousand rows at a time, as fast as they are taken and no further:
 * memory stays flat, and nothing is read for somebody who has gone.
 * @throws what goes wrong with the first part; later the stream fails, so that half a file is no file
 */
export async function exportList(
  services: Services,
  name: string,
  url: URL,
): Promise<ReadableStream<Uint8Array> | null> {
  const list = lists.get(name);
  if (!list) return null;
  let part: Part | null = await list.part(services, url, null);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        if (!part) return stream.close();
        stream.enqueue(encoder.encode(part.text));
        part = part.next === null ? null : await list.part(services, url, part.next);
      },
    },
    { highWaterMark: 0 },
  );
}
