import { Pager, type Pages } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { adminIssuePath } from "../messages.ts";

export type IssueLine = { id: string; subject: string; state: string; when: string; count: string };

/** The issues of the newsletter, the newest first. */
export function IssueList({ lines, ...pages }: Pages & { lines: IssueLine[] }) {
  return (
    <>
      <Table caption="Issues of the newsletter">
        <TableHead>
          <Th>Subject</Th>
          <Th>State</Th>
          <Th>When</Th>
          <Th>Readers</Th>
        </TableHead>
        <TableBody>
          {lines.map(({ id, subject, state, when, count }) => (
            <Row key={id}>
              <Td rowHeader>
                <a href={adminIssuePath(id)} className="wrap-anywhere">
                  {subject || "Without a subject"}
                </a>
              </Td>
              <Td>{state}</Td>
              <Td phone="below">{when}</Td>
              <Td phone="hidden">{count}</Td>
            </Row>
          ))}
        </TableBody>
      </Table>
      <Pager {...pages} />
    </>
  );
}
