import { ButtonLink } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import {
  Filter,
  List,
  type ListAddress,
  type ListPages,
  listAddress,
  RowButton,
} from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { reasonNames, sourceNames, suppressionReasons } from "../messages.ts";
import type { SuppressionLine } from "../suppressions.server.ts";

type Props = ListPages & {
  lines: SuppressionLine[];
  asked: { search: string; reason: keyof typeof reasonNames | null };
};

/** The addresses that get no email, with who says so and why. */
export function SuppressionList({ lines, asked, ...pages }: Props) {
  return (
    <List
      {...pages}
      things="addresses"
      searchLabel="Search addresses"
      search={asked.search}
      filters={
        <Filter name="kind" aria-label="Why" chosen={asked.reason}>
          <option value="">All reasons</option>
          {suppressionReasons.map((reason) => (
            <option key={reason} value={reason}>
              {reasonNames[reason]}
            </option>
          ))}
        </Filter>
      }
      empty={
        <EmptyState title="Every address gets email">
          <p>
            An address that bounces, or whose owner reports an email as spam, is listed here by
            itself. Below you can add one that asked you to.
          </p>
        </EmptyState>
      }
      notFound={{ title: "No such address", hint: "Search for a part of it, or another reason." }}
    >
      {lines.length > 0 && <Lines lines={lines} here={pages.here} />}
    </List>
  );
}

function Lines({ lines, here }: { lines: SuppressionLine[]; here: ListAddress }) {
  return (
    <Table caption="Addresses that get no email">
      <TableHead>
        <Th>Address</Th>
        <Th>Why</Th>
        <Th>Since</Th>
        <Th unseen>Actions</Th>
      </TableHead>
      <TableBody>
        {lines.map((line) => (
          <Row key={line.address}>
            <Td rowHeader>
              <span className="grid gap-0.5 wrap-anywhere whitespace-normal">
                {line.address}
                {line.userId && (
                  <a href={`/admin/students/${line.userId}`} className="text-sm/[1.45] font-normal">
                    {line.name}
                  </a>
                )}
              </span>
            </Td>
            <Td phone="below">
              <span className="grid max-w-[24rem] gap-0.5 wrap-anywhere whitespace-normal">
                {whyOf(line)}
                {line.detail && <span className="text-xs/[1.45] text-ink-soft">{line.detail}</span>}
              </span>
            </Td>
            <Td>
              <PhoneWord>since </PhoneWord>
              <span className="people-date">{line.since}</span>
            </Td>
            <Td align="end" phone="below">
              <div className="row-actions">
                <ButtonLink
                  size="sm"
                  className="whitespace-nowrap"
                  variant="outline"
                  href={listAddress(here, { delete: line.address })}
                  aria-label={`Send email again to ${line.address}…`}
                >
                  Send email again…
                </ButtonLink>
              </div>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

function whyOf({ reason, source }: Pick<SuppressionLine, "reason" | "source">): string {
  const who = sourceNames[source];
  return who ? `${reasonNames[reason]}, as ${who} says` : reasonNames[reason];
}

/** The question before an address gets email again. */
export function LiftSuppression({ line, here }: { line: SuppressionLine; here: ListAddress }) {
  const { address, reason, detail, since } = line;
  return (
    <LinkedConfirmDialog
      id="lift-suppression"
      title="Send email to this address again?"
      closeHref={listAddress(here)}
      form={
        <RowButton id={address} value="lift">
          Send email again
        </RowButton>
      }
    >
      <p>
        {address} is on the list since {since}: {reasonNames[reason].toLowerCase()}.
      </p>
      {detail && <p className="text-sm/[1.45] text-ink-soft">{detail}</p>}
      <p>{whatMayHappen[reason]}</p>
    </LinkedConfirmDialog>
  );
}

const whatMayHappen = {
  bounce:
    "If it bounces again, it comes back to this list. Many bounces make mail servers distrust your emails, so do it only when you know that the address works now.",
  complaint:
    "Its owner pressed “Report spam”. Do it only if they have told you that they want your emails: each further report makes mail servers distrust them.",
  manual: "From now on it gets the emails of the site like any other.",
} as const;
