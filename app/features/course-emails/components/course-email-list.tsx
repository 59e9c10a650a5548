import { countedNoun } from "~/features/courses/rules.ts";
import { ConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Pager, type Pages, RowButton } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { CourseEmailLine } from "../course-emails.server.ts";
import { outcomeInWords } from "../messages.ts";

type Props = Pages & { lines: CourseEmailLine[]; busyId: string | null; toFiles: boolean };

/** What was sent to students, and what became of it. */
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
                  <span className="wrap-anywhere">{line.subject}</span>
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
                  {line.canResume && <SendToTheRest line={line} busy={busyId === line.id} />}
                  {line.isGoing && (
                    <RowButton
                      id={line.id}
                      value="stop"
                      variant="outline"
                      size="sm"
                      busy={busyId === line.id}
                      aria-label={`Stop: ${line.subject}`}
                    >
                      Stop
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

function SendToTheRest({ line, busy }: { line: CourseEmailLine; busy: boolean }) {
  const { id, subject, course, sent } = line;
  const dialog = `rest-${id}`;
  return (
    <>
      <DialogButton
        dialog={dialog}
        variant="outline"
        size="sm"
        busy={busy}
        aria-label={`Send to the rest: ${subject}`}
      >
        Send to the rest
      </DialogButton>
      <ConfirmDialog
        id={dialog}
        title="Send it to the rest?"
        form={
          <RowButton id={id} value="resume">
            Send to the rest
          </RowButton>
        }
      >
        <p>
          “{subject}” goes to everybody who was enrolled in {course} when you sent it and has not
          got it yet.
          {sent > 0 && ` ${countedNoun(sent, "student has", "students have")} it already.`}
        </p>
      </ConfirmDialog>
    </>
  );
}
