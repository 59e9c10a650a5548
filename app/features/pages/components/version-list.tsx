import { List, type ListPages } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";

type Props = ListPages & {
  /** The name of the page. */
  of: string;
  versions: { number: number; who: string; when: string }[];
};

/** The versions of a page; each leads to how it differs from what is public. */
export function VersionList({ of, versions, ...list }: Props) {
  const isLast = list.next === null;
  return (
    <List {...list} things="versions" notFound={{ title: "Nothing was published yet" }}>
      <Table caption="Versions">
        <TableHead>
          <Th>Version</Th>
          <Th>Published</Th>
          <Th>By</Th>
        </TableHead>
        <TableBody>
          {versions.map(({ number, who, when }) => (
            <Row key={number}>
              <Td rowHeader>
                <a href={`/admin/pages/${of}/history?version=${number}`}>Version {number}</a>
              </Td>
              <Td>{when}</Td>
              <Td>{who}</Td>
            </Row>
          ))}
          {isLast && (
            <Row>
              <Td rowHeader>
                <a href={`/admin/pages/${of}/history?version=0`}>First edition</a>
              </Td>
              <Td>With the site</Td>
              <Td>&nbsp;</Td>
            </Row>
          )}
        </TableBody>
      </Table>
    </List>
  );
}
