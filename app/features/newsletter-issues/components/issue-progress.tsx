import { useEffect } from "react";
import { Form, useNavigation, useRevalidator } from "react-router";
import type { IssueState } from "~/platform/db/newsletter-tables.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Progress } from "~/ui/progress.tsx";
import { type StopReason, stopReasons } from "../messages.ts";

export type IssueStanding = {
  state: IssueState;
  stoppedBecause: StopReason | null;
  isEnqueued: boolean;
  recipients: number;
  sent: number;
  refused: number;
  doubtful: number;
  leftAfter: number;
  visits: number | null;
  inArchive: boolean;
  slug: string | null;
  /** Addresses of whom nobody knows whether they got it; the first hundred. */
  doubtfulAddresses: string[];
};

const everyMs = 2_000;

/** What has become of an issue, and what can be done with it. */
export function IssueProgress(standing: IssueStanding) {
  const { state, stoppedBecause, isEnqueued, recipients, sent, refused, doubtful } = standing;
  const { revalidate, state: loading } = useRevalidator();
  const isMoving = state === "sending";
  useEffect(() => {
    if (!isMoving || loading !== "idle") return;
    const timer = setTimeout(() => void revalidate(), everyMs);
    return () => clearTimeout(timer);
  }, [isMoving, loading, revalidate]);
  const done = sent + refused + doubtful;
  const share = recipients > 0 ? Math.min(100, Math.round((done / recipients) * 100)) : 0;
  return (
    <>
      {stoppedBecause && state === "stopped" && (
        <Notice tone={stoppedBecause === "coach" ? "info" : "warning"} className="mb-6">
          <p>{stopReasons[stoppedBecause]}</p>
        </Notice>
      )}
      {(isMoving || state === "stopped") && (
        <div className="issue-progress">
          <Progress value={share} label="Sent so far" />
          <p className="text-ink-soft" aria-live="polite">
            {isEnqueued
              ? `${done.toLocaleString("en-US")} of ${recipients.toLocaleString("en-US")}`
              : "The list of readers is being made."}
          </p>
        </div>
      )}
      {state !== "scheduled" && <Figures {...standing} />}
      <Actions {...standing} />
      {doubtful > 0 && <Doubtful {...standing} />}
    </>
  );
}

function Figures({ sent, refused, leftAfter, visits }: IssueStanding) {
  return (
    <dl className="admin-facts">
      <Fact name="Sent" value={sent}>
        Taken by the readers’ mail servers.
      </Fact>
      <Fact name="Refused" value={refused}>
        {refused > 0 ? "The reasons are in the email log." : "No mail server refused it."}
      </Fact>
      <Fact name="Left" value={leftAfter}>
        Unsubscribed by the link in this issue.
      </Fact>
      {visits !== null && (
        <Fact name="Visits" value={visits}>
          Of its page in the archive.
        </Fact>
      )}
    </dl>
  );
}

function Fact({ name, value, children }: { name: string; value: number; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="font-serif text-4xl tabular-nums">{value.toLocaleString("en-US")}</dd>
      <dd className="max-w-[22rem] text-sm text-ink-soft">{children}</dd>
    </div>
  );
}

function Actions({ state, refused, inArchive, slug }: IssueStanding) {
  const pressed = useNavigation().formData?.get("intent");
  const button = (intent: string, label: string, variant: "default" | "outline" = "outline") => (
    <Button type="submit" name="intent" value={intent} variant={variant} busy={pressed === intent}>
      {label}
    </Button>
  );
  return (
    <Form method="post" className="release-when">
      {state === "scheduled" && button("unschedule", "Take it back and go on writing")}
      {state === "sending" && button("stop", "Stop")}
      {state === "stopped" && button("resume", "Send to the rest", "default")}
      {state !== "scheduled" && button(inArchive ? "hide" : "show", archiveLabel(inArchive))}
      {button("duplicate", "Write another from it")}
      {inArchive && slug && state !== "scheduled" && (
        <ButtonLink href={`/newsletter/${slug}`} variant="ghost">
          Open its page
        </ButtonLink>
      )}
      {refused > 0 && (
        <ButtonLink href="/admin/mail?state=failed" variant="ghost">
          Who was refused, and why
        </ButtonLink>
      )}
    </Form>
  );
}

const archiveLabel = (inArchive: boolean) =>
  inArchive ? "Take it out of the archive" : "Show it in the archive";

/** The connection to the mail server ended before it said whether it took these. */
function Doubtful({ state, doubtful, doubtfulAddresses }: IssueStanding) {
  const busy = useNavigation().formData?.get("intent") === "again";
  return (
    <section className="admin-part" aria-labelledby="doubtful">
      <h2 id="doubtful">In doubt: {doubtful.toLocaleString("en-US")}</h2>
      <p className="max-w-[46rem] text-ink-soft">
        The site or the connection stopped in the moment when these were handed over. They may have
        arrived, so they are not sent a second time by themselves.
      </p>
      <ul className="issue-doubtful">
        {doubtfulAddresses.map((address) => (
          <li key={address} className="wrap-anywhere">
            {address}
          </li>
        ))}
      </ul>
      {doubtful > doubtfulAddresses.length && <p className="text-ink-soft">And more.</p>}
      {state === "sent" && (
        <Form method="post" className="release-when">
          <Button type="submit" name="intent" value="again" variant="outline" busy={busy}>
            Send it to them again
          </Button>
        </Form>
      )}
    </section>
  );
}
