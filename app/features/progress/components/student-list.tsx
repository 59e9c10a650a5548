import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { List, type ListPages, sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { StudentRow } from "../students.server.ts";

type StudentListProps = ListPages & {
  lines: (Omit<StudentRow, "createdAt" | "suspendedAt" | "progress"> &
    Record<"joined" | "progress" | "last", string> & { isSuspended: boolean })[];
  courses: CourseChoice[];
  asked: { search: string; courseId: string | null; sort: string; direction: "asc" | "desc" };
};

/** All accounts, with search, filter, sorting and pages. */
export function StudentList({
  lines,
  previous,
  next,
  total,
  page,
  courses,
  asked,
  here,
}: StudentListProps) {
  return (
    <List
      {...{ here, previous, next, total, page }}
      things="students"
      searchLabel="Search by name or email"
      search={asked.search}
      filters={
        <CourseFilter courses={courses} chosen={asked.courseId} all="In any course or none" />
      }
      notFound={{
        title: "No student found",
        hint: "Try the beginning of a name or of an email address, or another course.",
      }}
      exportPath="/admin/export/students"
    >
      {lines.length > 0 && <Lines lines={lines} asked={asked} here={here} />}
    </List>
  );
}

function Lines({ lines, asked, here }: Pick<StudentListProps, "lines" | "asked" | "here">) {
  return (
    <Table caption="Students">
      <TableHead>
        <Th {...sortLink(here, asked, "name")}>Name</Th>
        <Th {...sortLink(here, asked, "email")}>Email</Th>
        <Th>{asked.courseId ? "Progress" : "Progress in all courses"}</Th>
        <Th>Last completed</Th>
        <Th {...sortLink(here, asked, "joined", "desc")}>Joined</Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Td rowHeader>
              <span className="people-name">
                <a href={`/admin/students/${line.id}`}>{line.name}</a>
                {line.isAdmin && <span className="people-mark">Administrator</span>}
                {line.isSuspended && (
                  <span className="people-mark people-mark-open">Suspended</span>
                )}
              </span>
            </Td>
            <Td>
              <span className="people-address">
                {line.email}
                {!line.emailVerified && (
                  <span className="people-mark people-mark-open">Not confirmed</span>
                )}
              </span>
            </Td>
            <Td>
              <span className="people-date">{line.progress}</span>
            </Td>
            <Td phone="hidden">
              <span className="people-date">{line.last}</span>
            </Td>
            <Td phone="hidden">
              <span className="people-date">{line.joined}</span>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
