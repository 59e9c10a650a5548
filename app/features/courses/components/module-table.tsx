import { type ListAddress, sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { listModulesOfAll } from "../modules.server.ts";
import { RowActions } from "./course-table.tsx";

type Listed = Awaited<ReturnType<typeof listModulesOfAll>>["rows"][number];

type Props = {
  modules: Omit<Listed, "sortValue" | "timeValue">[];
  here: ListAddress;
  asked: { sort: string; direction: "asc" | "desc" };
};

export function ModuleTable({ modules, here, asked }: Props) {
  return (
    <Table caption="Modules">
      <TableHead>
        <Th {...sortLink(here, asked, "title")}>Title</Th>
        <Th {...sortLink(here, asked, "course")}>Course</Th>
        <Th align="end" {...sortLink(here, asked, "order")}>
          Order number
        </Th>
        <Th align="end">Lessons</Th>
        <Th unseen>Actions</Th>
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
              <RowActions {...{ id, title, here }} things="modules" />
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
