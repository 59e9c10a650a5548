import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";

type TableProps = {
  /** Read out as the table's name; shown only when `showCaption`. */
  caption: string;
  showCaption?: boolean;
  /** On phones each row becomes a sheet of labelled lines (Td `label`); else it scrolls sideways. */
  stack?: boolean;
  children: ReactNode;
};

/**
 * A dense table. Explicit roles, because the phone layout takes the cells out of table display,
 * and with it, in some browsers, out of the accessibility tree.
 */
export function Table({ caption, showCaption = false, stack = true, children }: TableProps) {
  const table = (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <table role="table" className={`table ${stack ? "table-stack" : ""}`}>
      <caption className={showCaption ? undefined : "sr-only"}>{caption}</caption>
      {children}
    </table>
  );
  if (stack) return table;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="table-scroll" aria-label={caption} tabIndex={0}>
      {table}
    </section>
  );
}

/** The row of column headings; children are Th. */
export function TableHead({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <thead role="rowgroup">
      <Row>{children}</Row>
    </thead>
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <tbody role="rowgroup">{children}</tbody>
  );
}

/** One row of Th and Td. */
export function Row({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <tr role="row">{children}</tr>
  );
}

type ThProps = {
  children: ReactNode;
  /** Makes the heading a link that sorts; the page at that address is sorted by it. */
  href?: string;
  sorted?: "ascending" | "descending" | undefined;
  align?: "start" | "end";
};

/** A column heading. */
export function Th({ children, href, sorted, align = "start" }: ThProps) {
  const Arrow = sorted === "ascending" ? ArrowUp : sorted ? ArrowDown : ChevronsUpDown;
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <th role="columnheader" scope="col" aria-sort={sorted} data-align={align}>
      {href ? (
        <a className="table-sort" href={href}>
          {children}
          <Arrow aria-hidden="true" strokeWidth={2} />
        </a>
      ) : (
        children
      )}
    </th>
  );
}

type TdProps = {
  children: ReactNode;
  /** The column's name, shown beside the value on phones. */
  label?: string;
  align?: "start" | "end";
  /** The cell that names the row. */
  rowHeader?: boolean;
};

/** A cell. */
export function Td({ children, label, align = "start", rowHeader = false }: TdProps) {
  if (rowHeader) {
    return (
      // biome-ignore lint/a11y/noRedundantRoles: see Table
      <th role="rowheader" scope="row" data-align={align}>
        {children}
      </th>
    );
  }
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see Table
    <td role="cell" data-label={label} data-align={align}>
      {children}
    </td>
  );
}
