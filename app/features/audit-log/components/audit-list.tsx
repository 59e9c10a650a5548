import { EmptyState } from "~/ui/empty-state.tsx";
import { Filter, List, type ListPages } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { AuditFilter, AuditLine, AuditPerson } from "../audit-log.server.ts";
import { auditKinds } from "../messages.ts";

type AuditListProps = ListPages & {
  lines: AuditLine[];
  people: AuditPerson[];
  asked: AuditFilter;
};

export function AuditList({
  lines,
  people,
  previous,
  next,
  total,
  page,
  asked,
  here,
}: AuditListProps) {
  return (
    <List
      {...{ here, previous, next, total, page }}
      things="changes"
      filters={
        <>
          <Filter name="kind" aria-label="What" chosen={asked.kind}>
            <option value="">About everything</option>
            {Object.entries(auditKinds).map(([kind, words]) => (
              <option key={kind} value={kind}>
                {words}
              </option>
            ))}
          </Filter>
          <Filter name="by" aria-label="Who" chosen={asked.by}>
            <option value="">By anybody</option>
            {people.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Filter>
        </>
      }
      empty={
        <EmptyState title="Nothing was done yet">
          <p>Each change that an administrator makes is listed here, with who made it and when.</p>
        </EmptyState>
      }
      notFound={{
        title: "Nothing found",
        hint: "Nothing like this was done in the last two years.",
      }}
      exportPath="/admin/export/audit"
    >
      {lines.length > 0 && <Lines lines={lines} />}
    </List>
  );
}

function Lines({ lines }: { lines: AuditLine[] }) {
  return (
    <Table caption="Audit log">
      <TableHead>
        <Th>What</Th>
        <Th>About</Th>
        <Th>Who</Th>
        <Th>When</Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.id}>
            <Td rowHeader>{line.what}</Td>
            <Td>
              <About line={line} />
            </Td>
            <Td>{line.who.name}</Td>
            <Td>
              <span className="people-date">{line.when}</span>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function About({ line: { about, more, person } }: { line: AuditLine }) {
  if (!about && !more && !person)
    return <span className="audit-more">An account that is gone</span>;
  return (
    <span className="audit-about">
      {person && <a href={`/admin/students/${person.id}`}>{person.name}</a>}
      {about && <span>{about}</span>}
      {more && <span className="audit-more">{more}</span>}
    </span>
  );
}
