import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

type Children = { children: ReactNode };

// Roles are explicit: the phone layout takes the cells out of table display, and with it, in some
// browsers, out of the accessibility tree.
// biome-ignore-start lint/a11y/noRedundantRoles: see above

/** A dense table. On phones each row becomes two lines: its header, and below it its cells. */
export function Table({ caption, children }: Children & { caption: string }) {
  return (
    <table role="table" className="table">
      <caption className="sr-only">{caption}</caption>
      {children}
    </table>
  );
}

/** The row of column headings; children are Th. */
export function TableHead({ children }: Children) {
  return (
    <thead role="rowgroup">
      <Row>{children}</Row>
    </thead>
  );
}

export function TableBody({ children }: Children) {
  return <tbody role="rowgroup">{children}</tbody>;
}

export function Row({ children }: Children) {
  return <tr role="row">{children}</tr>;
}

type ThProps = Children & {
  /** Makes the heading a link that sorts; the page at that address is sorted by it. */
  href?: string;
  sorted?: "ascending" | "descending" | undefined;
  align?: "end";
  /** Only read out: above the buttons at the end of each row, which say themselves what they do. */
  unseen?: boolean;
};

export function Th({
  children,
  href,
  sorted,
  unseen,
  align = unseen ? "end" : undefined,
}: ThProps) {
  const Arrow = sorted === "ascending" ? ArrowUp : sorted ? ArrowDown : ChevronsUpDown;
  return (
    <th role="columnheader" scope="col" aria-sort={sorted} data-align={align}>
      {href ? (
        <a className="table-sort" href={href}>
          {children}
          <Icon of={Arrow} strokeWidth="2" />
        </a>
      ) : unseen ? (
        <span className="sr-only">{children}</span>
      ) : (
        children
      )}
    </th>
  );
}

type TdProps = Children & {
  /** On phones: not shown, as what the row leads to shows it too; beside the row's header; or in a
   * line of its own, for what has to be done. */
  phone?: "hidden" | "beside" | "below" | undefined;
  align?: "end";
  rowHeader?: boolean;
};

export function Td({ children, phone, align, rowHeader = false }: TdProps) {
  if (rowHeader)
    return (
      <th role="rowheader" scope="row" data-align={align}>
        {children}
      </th>
    );
  return (
    <td role="cell" data-phone={phone} data-align={align}>
      {children}
    </td>
  );
}

/** A word that the column's heading says where there is room for one. */
export function PhoneWord({ children }: Children) {
  return <span className="phone-word">{children}</span>;
}
// biome-ignore-end lint/a11y/noRedundantRoles: see above
