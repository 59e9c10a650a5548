import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { List, type ListPages, sortLink } from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { EnrollmentRow } from "../manual-enrollments.server.ts";

type EnrollmentListProps = ListPages & {
  lines: (Omit<EnrollmentRow, "createdAt"> & { since: string })[];
  courses: CourseChoice[];
  asked: { search: string; courseId: string | null; sort: string; direction: "asc" | "desc" };
};

export function EnrollmentList({ lines, courses, asked, here, ...pages }: EnrollmentListProps) {
  return (
    <List
      {...{ here, ...pages }}
      things="enrollments"
      searchLabel="Search by name or email"
      search={asked.search}
      filters={<CourseFilter courses={courses} chosen={asked.courseId} />}
      empty={
        <EmptyState title="Nobody is enrolled yet">
          <p>
            <a href="/admin/enrollments/new">Enroll somebody</a> who has an account, or{" "}
            <a href="/admin/enrollments/invite">invite somebody</a> by email.
          </p>
        </EmptyState>
      }
      notFound={{
        title: "No enrollment found",
        hint: "Try part of a name or of an email address, or all courses.",
      }}
      exportPath="/admin/export/enrollments"
    >
      {lines.length > 0 && <Lines lines={lines} asked={asked} here={here} />}
    </List>
  );
}

function Lines({ lines, asked, here }: Pick<EnrollmentListProps, "lines" | "asked" | "here">) {
  return (
    <Table caption="Enrollments">
      <TableHead>
        <Th>Student</Th>
        <Th {...sortLink(here, asked, "email")}>Email</Th>
        <Th>Course</Th>
        <Th {...sortLink(here, asked, "created", "desc")}>Enrolled</Th>
        <Th unseen>Change</Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Td rowHeader>
              <a href={`/admin/students/${line.userId}`} className="wrap-anywhere">
                {line.name}
              </a>
            </Td>
            <Td phone="hidden">
              <span className="break-all">{line.email}</span>
            </Td>
            <Td>
              <span className="wrap-anywhere">{line.course}</span>
            </Td>
            <Td>
              <span className="roster-since">
                {line.since}
                {line.stripePaymentId && (
                  <span className="roster-payment">
                    <PhoneWord> · </PhoneWord>Payment: {line.stripePaymentId}
                  </span>
                )}
              </span>
            </Td>
            <Td align="end" phone="beside">
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
