import { Download } from "lucide";
import { useEffect } from "react";
import { Form, useRevalidator } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Progress } from "~/ui/progress.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { ImportDetail } from "../imports.server.ts";
import { importPath, outcomeHints, outcomeWords, problemsShown } from "../messages.ts";

/** In milliseconds. */
const lookEvery = 1500;

/** While a file is read or imported: how far it is. The page looks again by itself. */
export function ImportProgress({ detail }: { detail: ImportDetail }) {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const timer = setTimeout(() => void revalidate(), lookEvery);
    return () => clearTimeout(timer);
  }, [revalidate, state]);
  const isReading = detail.state === "reading";
  const words = isReading
    ? `Reading the file: ${detail.rows.toLocaleString("en-US")} rows so far`
    : `Importing: ${detail.percent} %`;
  return (
    <div className="max-w-[46rem]" role="status">
      {isReading ? <p>{words}</p> : <Progress value={detail.percent} label={words} />}
      <p className="mt-3 text-ink-soft">You can leave this page. It goes on by itself.</p>
      <noscript>
        <p className="mt-4">
          <a href={`${importPath}/${detail.id}`}>Look again</a>
        </p>
      </noscript>
    </div>
  );
}

/** What will become of the rows of a file, or did, and which of them are not taken. */
export function ImportReport({ detail, busy }: { detail: ImportDetail; busy: boolean }) {
  const { counts, problems, state, askedUntil } = detail;
  const isDone = state === "done";
  const changes = counts.some(({ outcome }) => outcome === "confirm" || outcome === "ask");
  return (
    <>
      {detail.isOldEncoding && (
        <Notice className="mb-8" tone="warning">
          <p>
            The file is in an older encoding of Windows. Please look whether names with accents are
            right in the list.
          </p>
        </Notice>
      )}
      {isDone && (
        <Notice className="mb-8" tone="success" title="Imported">
          {askedUntil && <p>The last email that asks to confirm goes out {askedUntil}.</p>}
        </Notice>
      )}
      <section aria-labelledby="what">
        <h2 id="what" className="sr-only">
          {isDone ? "What happened" : "What will happen"}
        </h2>
        <ul className="import-outcomes">
          {counts.map(({ outcome, count }) => (
            <li key={outcome}>
              <strong>{count.toLocaleString("en-US")}</strong>
              <span>
                {outcomeWords[outcome][isDone ? 1 : 0]}
                {!isDone && outcomeHints[outcome] && <small>{outcomeHints[outcome]}</small>}
              </span>
            </li>
          ))}
        </ul>
        {!isDone && (
          <div className="mt-8 flex flex-wrap gap-3">
            {changes && (
              <Form method="post">
                <Button
                  type="submit"
                  name="intent"
                  value="import"
                  busy={busy}
                  busyLabel="Starting..."
                >
                  Import
                </Button>
              </Form>
            )}
            <ButtonLink href={importPath} variant={changes ? "ghost" : "outline"}>
              Choose another file
            </ButtonLink>
          </div>
        )}
        {!isDone && !changes && (
          <p className="mt-4 text-ink-soft">There is nothing in this file to import.</p>
        )}
      </section>
      {problems.length > 0 && <Problems detail={detail} />}
    </>
  );
}

function Problems({ detail: { id, problems, hasMoreProblems } }: { detail: ImportDetail }) {
  return (
    <section className="admin-part" aria-labelledby="problems">
      <h2 id="problems">Rows to look at</h2>
      <p className="mb-5 text-ink-soft">
        {hasMoreProblems
          ? `The first ${problemsShown}. The file has all of them.`
          : "As a spreadsheet counts them: the headings are row 1."}
      </p>
      <Table caption="Rows to look at">
        <TableHead>
          <Th align="end">Row</Th>
          <Th>In the file</Th>
          <Th>What is the matter</Th>
        </TableHead>
        <TableBody>
          {problems.map(({ number, value, words }) => (
            <Row key={number}>
              <Td rowHeader align="end">
                {number.toLocaleString("en-US")}
              </Td>
              <Td phone="beside">
                <span className="wrap-anywhere whitespace-normal">{value || "(empty)"}</span>
              </Td>
              <Td phone="below">{words}</Td>
            </Row>
          ))}
        </TableBody>
      </Table>
      <p className="mt-5">
        <ButtonLink variant="ghost" size="sm" download href={`${importPath}/${id}/problems`}>
          <Icon of={Download} /> All of them as CSV
        </ButtonLink>
      </p>
    </section>
  );
}
