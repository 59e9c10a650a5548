import { ButtonLink } from "~/ui/button.tsx";
import { LinkedConfirmDialog } from "~/ui/confirm-dialog.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import {
  List,
  type ListAddress,
  type ListPages,
  listAddress,
  RowButton,
  sortLink,
} from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { redirectsPath } from "../messages.ts";
import type { RedirectLine } from "../redirect-lines.server.ts";
import type { RedirectListParams } from "../redirects.server.ts";

type Props = ListPages & { lines: RedirectLine[]; asked: Omit<RedirectListParams, "cursor"> };

export function RedirectList({ lines, asked, ...pages }: Props) {
  return (
    <List
      {...pages}
      things="old addresses"
      searchLabel="Search addresses"
      search={asked.search}
      empty={
        <EmptyState title="No old addresses yet">
          <p>
            When you change the address of a course, the old one is listed here by itself. Add
            others that are still on leaflets, in emails or on other sites.
          </p>
        </EmptyState>
      }
      notFound={{ title: "No such address", hint: "Search for a part of it, old or new." }}
    >
      {lines.length > 0 && <Lines {...{ lines, asked }} here={pages.here} />}
    </List>
  );
}

function Lines({ lines, asked, here }: Pick<Props, "lines" | "asked"> & { here: ListAddress }) {
  return (
    <Table caption="Old addresses">
      <TableHead>
        <Th {...sortLink(here, asked, "from")}>Old address</Th>
        <Th>Leads to</Th>
        <Th align="end" {...sortLink(here, asked, "hits", "desc")}>
          Used
        </Th>
        <Th {...sortLink(here, asked, "created", "desc")}>Since</Th>
        <Th unseen>Actions</Th>
      </TableHead>
      <TableBody>
        {lines.map(({ id, from, target, href, hits, since, remark }) => (
          <Row key={id}>
            <Td rowHeader>
              <span className="grid gap-0.5 wrap-anywhere whitespace-normal">
                <a href={`${redirectsPath}/${id}`}>{from}</a>
                {remark && <span className="redirect-remark">{remark}</span>}
              </span>
            </Td>
            <Td>
              <PhoneWord>to </PhoneWord>
              <a href={href} className="redirect-target wrap-anywhere">
                {target}
              </a>
            </Td>
            <Td align="end">
              {hits.toLocaleString("en-US")}
              <PhoneWord>{hits === 1 ? " time" : " times"}</PhoneWord>
            </Td>
            <Td phone="hidden">
              <span className="people-date">{since}</span>
            </Td>
            <Td align="end" phone="hidden">
              <ButtonLink
                size="sm"
                variant="ghost"
                href={listAddress(here, { delete: id })}
                aria-label={`Remove ${from}`}
              >
                Remove
              </ButtonLink>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

type Removing = { id: string; from: string; target: string };

export function RemoveRedirect({ removing, here }: { removing: Removing; here: ListAddress }) {
  const { id, from, target } = removing;
  return (
    <LinkedConfirmDialog
      id="remove-redirect"
      title="Remove this old address?"
      closeHref={listAddress(here)}
      form={
        <RowButton id={id} variant="destructive" value="remove">
          Remove
        </RowButton>
      }
    >
      <p>
        A visitor who follows a link to {from} then sees “Page Not Found” and no longer {target}.
      </p>
    </LinkedConfirmDialog>
  );
}
