import { listAudit, readAuditFilter, recordAudit } from "~/features/audit-log/audit-log.server.ts";
import { auditActions } from "~/features/audit-log/messages.ts";
import { courseSorts, listCourses } from "~/features/courses/courses.server.ts";
import { lessonSorts, listLessons } from "~/features/courses/lesson-list.server.ts";
import { listModulesOfAll, moduleSorts } from "~/features/courses/modules.server.ts";
import {
  enrollmentSorts,
  listEnrollments,
} from "~/features/enrollments/manual-enrollments.server.ts";
import { listQuietStudents } from "~/features/figures/care.server.ts";
import { listCourseFigures } from "~/features/figures/course-figures.server.ts";
import { listVisits } from "~/features/figures/visits.server.ts";
import { listWeekFigures } from "~/features/figures/weeks.server.ts";
import { listConfirmedPage } from "~/features/newsletter/subscribers.server.ts";
import { plainMoney } from "~/features/payments/messages.ts";
import { readPayments } from "~/features/payments/payments.server.ts";
import { stateInWords } from "~/features/payments/rules.ts";
import type { ListPage, Portion } from "~/platform/db/keyset.ts";
import { type ListParams, readListParams } from "~/platform/http/list-params.ts";
import type { Services } from "~/platform/http/services.ts";
import { asCsv } from "~/platform/utils/csv.ts";
import { listStudentsWithProgress, studentSorts } from "./students.server.ts";

type Cell = string | number | boolean | Date | null;

/** As written to the file: times in UTC (ISO 8601), booleans as yes and no. */
function written(cell: Cell): string | number {
  if (cell === null) return "";
  if (cell instanceof Date) return cell.toISOString();
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  return cell;
}

const rowsAtOnce = 1000;

type List<Sort extends string, Row> = {
  sorts: Record<Sort, "asc" | "desc">;
  page(
    services: Services,
    params: ListParams<Sort> & Portion,
    asked: Asked,
  ): Promise<Pick<ListPage<Row>, "rows" | "next">>;
  /** The file's columns, each with its field or what is made of the row; none leads to the journal. */
  columns: Record<string, keyof Row | ((row: Row) => Cell)>;
  limit?: number;
};

const courses = list({
  sorts: courseSorts,
  page: listCourses,
  columns: {
    title: "title",
    slug: "slug",
    price: ({ priceCents }) => plainMoney(priceCents, "usd"),
    active: "active",
    coming_soon: "comingSoon",
    lessons: "lessons",
  },
});

const modules = list({
  sorts: moduleSorts,
  page: listModulesOfAll,
  columns: { title: "title", course: "courseTitle", order: "orderNum", lessons: "lessons" },
});

const lessons = list({
  sorts: lessonSorts,
  page: (services, params, { url }) =>
    listLessons(services, {
      ...params,
      moduleId: url.searchParams.get("module")?.replaceAll("\0", "") || null,
    }),
  columns: {
    title: "title",
    slug: "slug",
    course: "courseTitle",
    module: "moduleTitle",
    order: "orderNum",
    drip_day: "dripDay",
    video: "hasVideo",
    audio: "hasAudio",
  },
});

const enrollments = list({
  sorts: enrollmentSorts,
  page: listEnrollments,
  columns: {
    name: "name",
    email: "email",
    course: "course",
    enrolled_at: "createdAt",
    payment: "stripePaymentId",
  },
});

const students = list({
  sorts: studentSorts,
  page: listStudentsWithProgress,
  limit: 200,
  columns: {
    name: "name",
    email: "email",
    confirmed: "emailVerified",
    administrator: "isAdmin",
    suspended_at: "suspendedAt",
    joined_at: "createdAt",
    lessons_completed: ({ progress }) => progress?.completed ?? null,
    lessons: ({ progress }) => progress?.total ?? null,
    last_completed_at: ({ progress }) => progress?.lastAt ?? null,
  },
});

const payments = list({
  sorts: { paid: "desc" },
  page: readPayments,
  columns: {
    paid_at: "paidAt",
    name: "name",
    email: "email",
    course: "course",
    amount: ({ amountCents, currency }) => plainMoney(amountCents, currency),
    refunded: ({ refundedCents, currency }) => plainMoney(refundedCents, currency),
    currency: ({ currency }) => currency.toUpperCase(),
    state: stateInWords,
    stripe_id: "paymentIntentId",
  },
});

const audit = list({
  sorts: { newest: "desc" },
  page: (services, { cursor, limit, uncounted = false }, { url }) =>
    listAudit(services, { ...readAuditFilter(url), cursor, limit, uncounted }),
  columns: {
    at: "createdAt",
    by: "actorName",
    what: ({ action }) => auditActions[action] ?? action,
    about: "label",
    person: "personName",
    details: ({ details }) =>
      Object.entries(details)
        .map(([name, value]) => `${name}: ${value}`)
        .join(", "),
  },
});

const subscribers = list({
  sorts: { address: "asc" },
  page: listConfirmedPage,
  columns: {
    first_name: "firstName",
    email: "email",
    confirmed_at: "confirmedAt",
    from: "source",
    consent: "consent",
    unsubscribe_url: "unsubscribeUrl",
  },
});

const weeks = list({
  sorts: { week: "asc" },
  page: async (services, _, { timeZone }) => ({
    rows: await listWeekFigures(services, timeZone),
    next: null,
  }),
  columns: {
    week_from: "week",
    over: "isOver",
    figure: "figure",
    value: "value",
    currency: "currency",
  },
});

const courseProgress = list({
  sorts: { order: "asc" },
  page: async (services, _, { url }) => ({
    rows: await listCourseFigures(services, url.searchParams.get("course") ?? ""),
    next: null,
  }),
  columns: {
    course: "course",
    module: "module",
    lesson: "lesson",
    opened: "opened",
    completed: "completed",
    students: "students",
  },
});

const visits = list({
  sorts: { newest: "desc" },
  page: listVisits,
  columns: { day: "day", page: "page", from: "host", visits: "arrivals", opened: "openings" },
});

const careList = list({
  sorts: { quiet: "desc" },
  page: listQuietStudents,
  columns: { name: "name", email: "email", quiet_since: "activeAt" },
});

const lists = new Map(
  Object.entries({
    courses,
    modules,
    lessons,
    enrollments,
    students,
    payments,
    audit,
    subscribers,
    weeks,
    "course-progress": courseProgress,
    visits,
    "care-list": careList,
  }),
);

type Asked = { url: URL; timeZone: string };

type Part = { text: string; next: string | null };

function list<Sort extends string, Row>({
  sorts,
  page,
  columns,
  limit = rowsAtOnce,
}: List<Sort, Row>) {
  const headings = Object.keys(columns);
  const cellOf = (row: Row) => (field: keyof Row | ((row: Row) => Cell)) =>
    written(typeof field === "function" ? field(row) : (row[field] as Cell));
  return {
    async part(services: Services, asked: Asked, cursor: string | null): Promise<Part> {
      const params = { ...readListParams(asked.url, sorts), cursor, limit, uncounted: true };
      const { rows, next } = await page(services, params, asked);
      const lines = rows.map((row) => Object.values(columns).map(cellOf(row)));
      const isFirst = cursor === null;
      const text = asCsv(isFirst ? [headings, ...lines] : lines, {
        // Without the BOM, Excel takes the file for one in an old encoding.
        bom: isFirst,
        record_delimiter: "windows",
      });
      return { text, next };
    },
  };
}

/** An admin list as CSV, with the search, filter and order of its URL; null for an unknown list.
 * It is read at most a thousand rows at a time, as fast as they are taken: memory stays flat, and
 * reading stops when the client has gone. @throws errors of the first part; later ones fail the
 * stream, so that half a file is no file */
export async function exportList(
  services: Services,
  name: string,
  asked: Asked,
): Promise<ReadableStream<Uint8Array> | null> {
  const list = lists.get(name);
  if (!list) return null;
  let part: Part | null = await list.part(services, asked, null);
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      async pull(stream) {
        if (!part) return stream.close();
        stream.enqueue(encoder.encode(part.text));
        part = part.next === null ? null : await list.part(services, asked, part.next);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Records that a list is exported; to be called before its first line is sent. */
export async function auditExport(services: Services, list: string): Promise<void> {
  await services.db.transaction((trx) =>
    recordAudit(trx, services, { action: "list.exported", label: list }),
  );
}
