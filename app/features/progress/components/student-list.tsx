import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager, sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { StudentRow, StudentSort } from "../schema.ts";

type Here = { pathname: string; search: string };

type StudentListProps = {
  lines: (Omit<StudentRow, "createdAt" | "suspendedAt"> & {
    joined: string;
    isSuspended: boolean;
  })[];
  previous: string | null;
  next: string | null;
  courses: CourseChoice[];
  asked: {
    search: string;
    courseId: string | null;
    sort: StudentSort;
    direction: "asc" | "desc";
  };
  here: Here;
};

/** All accounts, with search, filter, sorting and pages. */
export function StudentList({ lines, previous, next, courses, asked, here }: StudentListProps) {
  const sortWord = new URLSearchParams(here.search).get("sort");
  return (
    <>
      <ListTools
        searchLabel="Search by name or email"
        search={asked.search}
        otherParams={{ sort: sortWord }}
      >
        <CourseFilter courses={courses} chosen={asked.courseId} all="In any course or none" />
      </ListTools>
      {lines.length === 0 ? (
        <EmptyState
          title="No student found"
          action={
            <ButtonLink
              variant="outline"
              href={listAddress(here, { q: null, course: null, at: null })}
            >
              Show all students
            </ButtonLink>
          }
        >
          <p>Try the beginning of a name or of an email address, or another course.</p>
        </EmptyState>
      ) : (
        <Lines lines={lines} asked={asked} here={here} />
      )}
      <Pager
        here={here}
        previous={previous}
        next={next}
        exportPath={lines.length > 0 && "/admin/export/students"}
      />
    </>
  );
}

function Lines({ lines, asked, here }: Pick<StudentListProps, "lines" | "asked" | "here">) {
  return (
    <Table caption="Students">
      <TableHead>
        <Th {...sortLink(here, asked, "name")}>Name</Th>
        <Th {...sortLink(here, asked, "email")}>Email</Th>
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
            <Td label="Email">
              <span className="people-address">
                {line.email}
                {!line.emailVerified && (
                  <span className="people-mark people-mark-open">Not confirmed</span>
                )}
              </span>
            </Td>
            <Td label="Joined">
              <span className="people-date">{line.joined}</span>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
