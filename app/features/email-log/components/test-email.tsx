import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { TestResult } from "../test-email.server.ts";

export function TestEmailButton({ busy }: { busy: boolean }) {
  return (
    <Form method="post">
      <Button
        type="submit"
        variant="outline"
        size="sm"
        name="intent"
        value="test"
        busy={busy}
        busyLabel="Sending..."
      >
        Send me a test email
      </Button>
    </Form>
  );
}

/** What became of it, with the mail server’s own words. */
export function TestEmailResult({ result }: { result: TestResult }) {
  const { kind, address } = result;
  const own = { className: "mb-6", focused: true };
  if (kind === "file")
    return (
      <Notice {...own} title="The test email was written to a file">
        <p>
          No mail server is set up, so nothing went to <Address>{address}</Address>. The file is{" "}
          <Address>{result.file}</Address>.
        </p>
      </Notice>
    );
  if (kind === "sent")
    return (
      <Notice {...own} tone="success" title="The mail server took the test email">
        <p>
          It goes to <Address>{address}</Address>. If it does not arrive within a few minutes, look
          among the junk email.
        </p>
        <ServerWords>{result.words}</ServerWords>
      </Notice>
    );
  return (
    <Notice {...own} tone="destructive" title="The test email was not sent">
      <p>{result.advice}</p>
      <ServerWords>{result.words}</ServerWords>
    </Notice>
  );
}

function Address({ children }: { children: string }) {
  return <span className="break-all">{children}</span>;
}

function ServerWords({ children }: { children: string }) {
  return (
    <p className="mt-1 text-sm/[1.45] wrap-anywhere text-ink-soft">
      <span className="sr-only">As reported: </span>
      {children}
    </p>
  );
}
