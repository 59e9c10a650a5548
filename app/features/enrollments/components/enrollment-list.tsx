import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager, sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { EnrollmentRow, EnrollmentSort } from "../schema.ts";

type Here = { pathname: string; search: string };

type RosterProps = {
  lines: (Omit<EnrollmentRow, "createdAt"> & { since: string })[];
  previous: string | null;
  next: string | null;
  courses: CourseChoice[];
  asked: {
    search: string;
    courseId: string | null;
    sort: EnrollmentSort;
    direction: "asc" | "desc";
  };
  here: Here;
};

/** The list of enrollments with its search, filter, order and pages. */
export function EnrollmentList({ lines, previous, next, courses, asked, here }: RosterProps) {
  const isNarrowed = asked.search !== "" || asked.courseId !== null;
  if (lines.length === 0 && !isNarrowed && !previous)
    return (
      <EmptyState title="Nobody is enrolled yet">
        <p>
          <a href="/admin/enrollments/new">Enroll somebody</a> who has an account, or{" "}
          <a href="/admin/enrollments/invite">invite somebody</a> by email.
        </p>
      </EmptyState>
    );
  const sortWord = new URLSearchParams(here.search).get("sort");
  return (
    <>
      <ListTools
        searchLabel="Search by name or email"
        search={asked.search}
        otherParams={{ sort: sortWord }}
      >
        <CourseFilter courses={courses} chosen={asked.courseId} />
      </ListTools>
      {lines.length === 0 ? (
        <EmptyState
          title="No enrollment found"
          action={
            <ButtonLink
              variant="outline"
              href={listAddress(here, { q: null, course: null, at: null })}
            >
              Show all enrollments
            </ButtonLink>
          }
        >
          <p>Try part of a name or of an email address, or all courses.</p>
        </EmptyState>
      ) : (
        <Lines lines={lines} asked={asked} here={here} />
      )}
      <Pager
        here={here}
        previous={previous}
        next={next}
        exportPath={lines.length > 0 && "/admin/export/enrollments"}
      />
    </>
  );
}

function Lines({ lines, asked, here }: Pick<RosterProps, "lines" | "asked" | "here">) {
  return (
    <Table caption="Enrollments">
      <TableHead>
        <Th>Student</Th>
        <Th {...sortLink(here, asked, "email")}>Email</Th>
        <Th>Course</Th>
        <Th {...sortLink(here, asked, "created", "desc")}>Enrolled</Th>
        <Th align="end">
          <span className="sr-only">Change</span>
        </Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Td rowHeader>
              <a href={`/admin/students/${line.userId}`}>{line.name}</a>
            </Td>
            <Td label="Email">
              <span className="break-all">{line.email}</span>
            </Td>
            <Td label="Course">{line.course}</Td>
            <Td label="Enrolled">
              <span className="roster-since">
                {line.since}
                {line.stripePaymentId && (
                  <span className="roster-payment">Payment: {line.stripePaymentId}</span>
                )}
              </span>
            </Td>
            <Td align="end">
              <ButtonLink
                size="sm"
                variant="ghost"
                href={`/admin/enrollments/${line.id}`}
                aria-label={`Open the enrollment of ${line.name} in ${line.course}`}
              >
                Open
              </ButtonLink>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
