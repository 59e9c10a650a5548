import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";

type Children = { children: ReactNode };

// Roles are explicit: the phone layout takes the cells out of table display, and with it, in some
// browsers, out of the accessibility tree.
// biome-ignore-start lint/a11y/noRedundantRoles: see above

/** A dense table. On phones each row becomes a sheet of lines, which Td `label` names. */
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
  align?: "start" | "end";
  /** Only read out: above the buttons at the end of each row, which say themselves what they do. */
  unseen?: boolean;
};

export function Th({ children, href, sorted, unseen, align = unseen ? "end" : "start" }: ThProps) {
  const Arrow = sorted === "ascending" ? ArrowUp : sorted ? ArrowDown : ChevronsUpDown;
  return (
    <th role="columnheader" scope="col" aria-sort={sorted} data-align={align}>
      {href ? (
        <a className="table-sort" href={href}>
          {children}
          <Arrow aria-hidden="true" strokeWidth={2} />
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
  /** The column's name, shown beside the value on phones. */
  label?: string;
  align?: "start" | "end";
  rowHeader?: boolean;
};

export function Td({ children, label, align = "start", rowHeader = false }: TdProps) {
  if (rowHeader)
    return (
      <th role="rowheader" scope="row" data-align={align}>
        {children}
      </th>
    );
  return (
    <td role="cell" data-label={label} data-align={align}>
      {children}
    </td>
  );
}
// biome-ignore-end lint/a11y/noRedundantRoles: see above
