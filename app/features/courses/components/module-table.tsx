import { type ListAddress, sortLink } from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
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
            <Td>
              <a href={`/admin/courses/${productId}`} className="wrap-anywhere">
                {courseTitle}
              </a>
            </Td>
            <Td align="end" phone="hidden">
              {orderNum}
            </Td>
            <Td align="end">
              {lessons}
              <PhoneWord>{lessons === 1 ? " lesson" : " lessons"}</PhoneWord>
            </Td>
            <Td align="end" phone="hidden">
              <RowActions {...{ id, title, here }} things="modules" />
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
