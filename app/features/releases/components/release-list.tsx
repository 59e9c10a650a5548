import { EmptyState } from "~/ui/empty-state.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { releaseStateWords } from "../messages.ts";
import type { ReleaseState } from "../schema.ts";

type Line = {
  id: string;
  title: string;
  state: ReleaseState;
  changes: number;
  due: string | null;
  published: string | null;
};

/** Releases, newest first. */
export function ReleaseList({ releases }: { releases: Line[] }) {
  if (releases.length === 0)
    return (
      <EmptyState title="No release yet">
        <p>
          A release holds changes that belong together: a price, a page, a course that opens. They
          become public in the same moment, now or at a time that you choose.
        </p>
      </EmptyState>
    );
  return (
    <Table caption="Releases">
      <TableHead>
        <Th>Release</Th>
        <Th>State</Th>
        <Th align="end">Changes</Th>
        <Th>When</Th>
      </TableHead>
      <TableBody>
        {releases.map(({ id, title, state, changes, due, published }) => (
          <Row key={id}>
            <Td rowHeader>
              <a href={`/admin/releases/${id}`} className="wrap-anywhere">
                {title}
              </a>
            </Td>
            <Td>{releaseStateWords[state]}</Td>
            <Td align="end" phone="hidden">
              {changes}
            </Td>
            <Td>{due ?? published ?? "–"}</Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
