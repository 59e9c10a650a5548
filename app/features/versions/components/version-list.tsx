import { EmptyState } from "~/ui/empty-state.tsx";
import { List, type ListPages } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { ListedVersion } from "../versions.server.ts";

type Props = ListPages & {
  versions: ListedVersion[];
  /** What was done with a version: 'Published'. */
  done: string;
  /** In the place of an author who has no account any more. */
  unknown: string;
  /** Shown where there are no versions. */
  none: { title: string; hint?: string };
  /** What was there before all versions, as version 0. */
  first?: { title: string; when: string };
};

/** Versions, newest first; each leads to how it differs from what is there now. */
export function VersionList({ versions, done, unknown, none, first, ...list }: Props) {
  const { here, next } = list;
  const link = (number: number) => `${here.pathname}?version=${number}`;
  const isEmpty = versions.length === 0 && !first;
  return (
    <List
      {...list}
      things="versions"
      empty={<EmptyState title={none.title}>{none.hint && <p>{none.hint}</p>}</EmptyState>}
      notFound={none}
    >
      {!isEmpty && (
        <Table caption="Versions">
          <TableHead>
            <Th>Version</Th>
            <Th>{done}</Th>
            <Th>By</Th>
          </TableHead>
          <TableBody>
            {versions.map(({ number, who, when }) => (
              <Row key={number}>
                <Td rowHeader>
                  <a href={link(number)}>{`Version ${number}`}</a>
                </Td>
                <Td>{when}</Td>
                <Td>{who ?? unknown}</Td>
              </Row>
            ))}
            {first && next === null && (
              <Row>
                <Td rowHeader>
                  <a href={link(0)}>{first.title}</a>
                </Td>
                <Td>{first.when}</Td>
                <Td>&nbsp;</Td>
              </Row>
            )}
          </TableBody>
        </Table>
      )}
    </List>
  );
}
