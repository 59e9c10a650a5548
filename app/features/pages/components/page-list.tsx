import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";

type Line = {
  name: string;
  label: string;
  path: string | null;
  drafts: number;
  published: string | null;
};

type Props = { title: string; pages: Line[] };

/** Pages, with what is published and what is not. */
export function PageList({ title, pages }: Props) {
  if (pages.length === 0) return null;
  return (
    <section className="page-list">
      <h2>{title}</h2>
      <Table caption={title}>
        <TableHead>
          <Th>Page</Th>
          <Th>Drafts</Th>
          <Th>Published</Th>
          <Th unseen>Actions</Th>
        </TableHead>
        <TableBody>
          {pages.map(({ name, label, path, drafts, published }) => (
            <Row key={name}>
              <Td rowHeader>
                {/* Out of the admin: the page itself, opened for editing. */}
                <a href={path ? `${path}?edit` : `/admin/pages/${name}`}>{label}</a>
              </Td>
              <Td phone={drafts ? undefined : "hidden"}>
                {drafts > 0 && (
                  <a href={`/admin/pages/${name}/publish`}>
                    {drafts === 1 ? "1 draft" : `${drafts} drafts`}
                    <span className="sr-only">{` of ${label}: look and publish`}</span>
                  </a>
                )}
              </Td>
              <Td>{published ?? "First edition"}</Td>
              <Td align="end">
                <a href={`/admin/pages/${name}`}>
                  All texts<span className="sr-only">{` of ${label}`}</span>
                </a>
              </Td>
            </Row>
          ))}
        </TableBody>
      </Table>
    </section>
  );
}
