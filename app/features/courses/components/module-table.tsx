import { ButtonLink } from "~/ui/button.tsx";
import { sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { ListedModule } from "../modules.server.ts";

type Props = {
  modules: Omit<ListedModule, "sortValue">[];
  here: { pathname: string; search: string };
  asked: { sort: string; direction: "asc" | "desc" };
  deleteHref: (id: string) => string;
};

export function ModuleTable({ modules, here, asked, deleteHref }: Props) {
  return (
    <Table caption="Modules">
      <TableHead>
        <Th {...sortLink(here, asked, "title")}>Title</Th>
        <Th {...sortLink(here, asked, "course")}>Course</Th>
        <Th align="end" {...sortLink(here, asked, "order")}>
          Order number
        </Th>
        <Th align="end">Lessons</Th>
        <Th align="end">
          <span className="sr-only">Actions</span>
        </Th>
      </TableHead>
      <TableBody>
        {modules.map(({ id, title, productId, courseTitle, orderNum, lessons }) => (
          <Row key={id}>
            <Td rowHeader>
              <a href={`/admin/modules/${id}`} className="wrap-anywhere">
                {title}
              </a>
            </Td>
            <Td label="Course">
              <a href={`/admin/courses/${productId}`} className="wrap-anywhere">
                {courseTitle}
              </a>
            </Td>
            <Td label="Order number" align="end">
              {orderNum}
            </Td>
            <Td label="Lessons" align="end">
              {lessons}
            </Td>
            <Td align="end">
              <div className="row-actions">
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  href={`/admin/modules/${id}`}
                  aria-label={`Edit ${title}`}
                >
                  Edit
                </ButtonLink>
                <ButtonLink
                  variant="ghost"
                  size="sm"
                  href={deleteHref(id)}
                  aria-label={`Delete ${title}`}
                >
                  Delete
                </ButtonLink>
              </div>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
