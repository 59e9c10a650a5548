import { Pager, type Pages, RowButton } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { CourseEmailLine } from "../course-emails.server.ts";
import { courseEmailsPath, outcomeInWords } from "../messages.ts";

type Props = Pages & { lines: CourseEmailLine[]; busyId: string | null; toFiles: boolean };

export function CourseEmailList({ lines, here, previous, next, busyId, toFiles }: Props) {
  return (
    <section className="admin-part" aria-labelledby="sent">
      <h2 id="sent">Sent so far</h2>
      {lines.length === 0 ? (
        <p className="mt-3 text-ink-soft">Nothing yet. What you send stands here.</p>
      ) : (
        <Table caption="Emails to students">
          <TableHead>
            <Th>Subject</Th>
            <Th>Course</Th>
            <Th>When</Th>
            <Th>State</Th>
            <Th unseen>Change</Th>
          </TableHead>
          <TableBody>
            {lines.map((line) => (
              <Row key={line.id}>
                <Td rowHeader>
                  <a href={`${courseEmailsPath}?email=${line.id}`} className="wrap-anywhere">
                    {line.subject}
                  </a>
                </Td>
                <Td>
                  <span className="wrap-anywhere">{line.course}</span>
                </Td>
                <Td>{line.when}</Td>
                <Td phone="below">
                  {outcomeInWords(line, toFiles)}
                  {line.failed > 0 && (
                    <>
                      {" "}
                      <a href="/admin/mail?state=failed">See why</a>
                    </>
                  )}
                </Td>
                <Td align="end" phone={line.isGoing || line.canResume ? "below" : "hidden"}>
                  {(line.isGoing || line.canResume) && (
                    <RowButton
                      id={line.id}
                      value={line.isGoing ? "stop" : "resume"}
                      variant="outline"
                      size="sm"
                      busy={busyId === line.id}
                      aria-label={`${changeOf(line)}: ${line.subject}`}
                    >
                      {changeOf(line)}
                    </RowButton>
                  )}
                </Td>
              </Row>
            ))}
          </TableBody>
        </Table>
      )}
      <Pager here={here} previous={previous} next={next} />
    </section>
  );
}

const changeOf = ({ isGoing }: CourseEmailLine) => (isGoing ? "Stop" : "Send to the rest");
