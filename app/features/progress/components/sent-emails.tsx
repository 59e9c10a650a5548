import { Pager } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";

type SentMailsProps = {
  mails: { id: string; about: string; subject: string; sent: string }[];
  previous: string | null;
  next: string | null;
  here: { pathname: string; search: string };
};

/** The emails that were sent to a student, newest first: that they were sent, not their content. */
export function SentEmails({ mails, previous, next, here }: SentMailsProps) {
  if (mails.length === 0)
    return <p className="student-nothing">No email has been sent to this address yet.</p>;
  return (
    <>
      <Table caption="Emails sent">
        <TableHead>
          <Th>Subject</Th>
          <Th>About</Th>
          <Th>Sent</Th>
        </TableHead>
        <TableBody>
          {mails.map((mail) => (
            <Row key={mail.id}>
              <Td rowHeader>{mail.subject}</Td>
              <Td label="About">{mail.about}</Td>
              <Td label="Sent">
                <span className="people-date">{mail.sent}</span>
              </Td>
            </Row>
          ))}
        </TableBody>
      </Table>
      <Pager here={here} previous={previous} next={next} />
    </>
  );
}
