import { ButtonLink } from "~/ui/button.tsx";
import { RowButton } from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import { redirectsPath } from "../messages.ts";
import type { LostLine } from "../redirect-lines.server.ts";

export function LostTable({ lines }: { lines: LostLine[] }) {
  return (
    <Table caption="Not found">
      <TableHead>
        <Th>Address</Th>
        <Th align="end">Asked for</Th>
        <Th>Last on</Th>
        <Th unseen>Actions</Th>
      </TableHead>
      <TableBody>
        {lines.map(({ path, shown, requests, last }) => (
          <Row key={path}>
            <Td rowHeader>
              <span className="wrap-anywhere">{shown}</span>
            </Td>
            <Td align="end">
              {requests.toLocaleString("en-US")}
              {requests === 1 ? " time" : " times"}
            </Td>
            <Td>
              <PhoneWord>last on </PhoneWord>
              <span className="people-date">{last}</span>
            </Td>
            <Td align="end" phone="below">
              <div className="row-actions">
                <ButtonLink
                  size="sm"
                  variant="outline"
                  href={`${redirectsPath}/new?${new URLSearchParams({ from: path })}`}
                  aria-label={`Send them to… (who asks for ${shown})`}
                >
                  Send them to…
                </ButtonLink>
                <RowButton
                  id={path}
                  variant="ghost"
                  size="sm"
                  value="ignore"
                  aria-label={`Ignore ${shown}`}
                >
                  Ignore
                </RowButton>
              </div>
            </Td>
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}
