import { Button } from "~/ui/button.tsx";
import { Card } from "~/ui/card.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { Specimen } from "./specimen.tsx";

const rows = [
  ["Anna Berg", "anna@example.com", "Seven Days of Calm", "12 Mar 2025"],
  [
    "Tomasz Wiśniewski-Kowalczyk",
    "tomasz.wisniewski@a-long-domain.example",
    "Blue Dot",
    "3 Feb 2025",
  ],
  ["Mia", "mia@example.com", "Seven Days of Calm", "29 Jan 2025"],
] as const;

/** Cards and the dense table. */
export function Data() {
  return (
    <>
      <Specimen title="Cards" wide>
        <div className="grid gap-6 md:grid-cols-2">
          <Card as="article">
            <h3>Seven days of calm</h3>
            <p className="mt-3 text-ink-soft">Ten minutes a day for the week when nothing holds.</p>
            <a href="#cards" className="card-link mt-auto pt-6 font-[550] text-dot">
              Open this card
            </a>
          </Card>
          <Card as="article">
            <h3>Finding your blue dot</h3>
            <p className="mt-3 text-ink-soft">
              Six weeks, at your own pace, towards the one thing you can steer by when the rest of
              the map is gone.
            </p>
            <a href="#cards" className="card-link mt-auto pt-6 font-[550] text-dot">
              Open this card
            </a>
          </Card>
        </div>
      </Specimen>
      <Specimen title="Table" wide>
        <Table caption="Enrollments">
          <TableHead>
            <Th href="#name">Name</Th>
            <Th>Email</Th>
            <Th>Course</Th>
            <Th href="#date" sorted="descending">
              Since
            </Th>
            <Th align="end">Actions</Th>
          </TableHead>
          <TableBody>
            {rows.map(([name, mail, course, since]) => (
              <Row key={mail}>
                <Td rowHeader>{name}</Td>
                <Td label="Email">{mail}</Td>
                <Td label="Course">{course}</Td>
                <Td label="Since">{since}</Td>
                <Td align="end">
                  <Button size="sm" variant="outline">
                    Remove
                  </Button>
                </Td>
              </Row>
            ))}
          </TableBody>
        </Table>
      </Specimen>
    </>
  );
}
