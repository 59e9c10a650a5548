import { Form, useNavigation } from "react-router";
import { Button } from "~/ui/button.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { DeletedItem } from "../deletion-preview.server.ts";

type Line = Omit<DeletedItem, "deletedAt" | "until"> & { when: string; until: string };

const kinds = { course: "Course", module: "Module", lesson: "Lesson" } as const;

export function DeletedTable({ deleted }: { deleted: Line[] }) {
  const { state, formData } = useNavigation();
  const restoring = state === "idle" ? null : formData?.get("id");
  return (
    <Table caption="Recently deleted">
      <TableHead>
        <Th>Title</Th>
        <Th>What</Th>
        <Th>Belongs to</Th>
        <Th>Deleted</Th>
        <Th>Can be restored until</Th>
        <Th unseen>Actions</Th>
      </TableHead>
      <TableBody>
        {deleted.map(({ id, kind, title, parent, when, until }) => (
          <Row key={id}>
            <Td rowHeader>
              <span className="wrap-anywhere">{title}</span>
            </Td>
            <Td>{kinds[kind]}</Td>
            <Td phone={parent ? undefined : "hidden"}>
              <span className="wrap-anywhere">
                {parent ? `${parent.title}${parent.first ? " (deleted as well)" : ""}` : "—"}
              </span>
            </Td>
            <Td phone="hidden">{when}</Td>
            <Td>
              <PhoneWord>until </PhoneWord>
              {until}
            </Td>
            <Td align="end" phone={parent?.first ? "below" : "beside"}>
              {parent?.first ? (
                <span className="course-slug">Restore “{parent.first}” first</span>
              ) : (
                <Form method="post" preventScrollReset>
                  <input type="hidden" name="kind" value={kind} />
                  <input type="hidden" name="id" value={id} />
                  <Button
                    type="submit"
                    variant="outline"
                    size="sm"
                    aria-label={`Restore ${title}`}
                    busy={restoring === id}
                  >
                    Restore
                  </Button>
                </Form>
              )}
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
