import { useEffect } from "react";
import { Form, useNavigation, useRevalidator } from "react-router";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Progress } from "~/ui/progress.tsx";
import {
  type IssueStateName,
  issueMessages,
  readersInWords,
  type StopReason,
  stopReasons,
} from "../messages.ts";

export type IssueStanding = {
  state: IssueStateName;
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
  /** Of the welcome series: so many days after confirming. */
  welcomeDay: number | null;
  /** How many wrote back lately; null where the site reads no mailbox. */
  answered: number | null;
  /** Addresses that may have got it or not; the first hundred. */
  doubtfulAddresses: string[];
};

const everyMs = 2_000;

/** What has become of an issue, and what can be done with it. */
export function IssueProgress(standing: IssueStanding) {
  const { state, stoppedBecause, isEnqueued, recipients, sent, refused, doubtful } = standing;
  const isSeries = standing.welcomeDay !== null;
  const { revalidate, state: loading } = useRevalidator();
  const isMoving = state === "sending" && !isSeries;
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
      {isSeries ? (
        <Series {...standing} />
      ) : isMoving || state === "stopped" ? (
        <div className="issue-progress">
          <Progress value={share} label="Sent so far" />
          <p className="text-ink-soft" aria-live="polite">
            {isEnqueued
              ? `${done.toLocaleString("en-US")} of ${recipients.toLocaleString("en-US")}`
              : "The list of readers is being made."}
          </p>
        </div>
      ) : null}
      {state !== "scheduled" && <Figures {...standing} />}
      <Actions {...standing} />
      {doubtful > 0 && <Doubtful {...standing} />}
    </>
  );
}

function Series({ state, recipients, sent, refused, doubtful }: IssueStanding) {
  const waiting = Math.max(0, recipients - sent - refused - doubtful);
  return (
    <p className="mb-8 max-w-[46rem] text-ink-soft">
      {state === "stopped"
        ? "It stands still. Who confirms now does not get it, also not later."
        : "Everybody who confirms gets it on its day, until you stop it."}
      {waiting > 0 && ` ${readersInWords(waiting)} on the way to that day.`}
    </p>
  );
}

function Figures({ sent, refused, leftAfter, visits, answered }: IssueStanding) {
  return (
    <>
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
        {answered !== null && (
          <Fact name="Answered" value={answered}>
            Readers whose answer came to your mailbox.
          </Fact>
        )}
      </dl>
      <p className="mt-6 max-w-[46rem] text-sm text-ink-soft">{issueMessages.notTracked}</p>
    </>
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

function Actions({ state, refused, inArchive, slug, welcomeDay }: IssueStanding) {
  const pressed = useNavigation().formData?.get("intent");
  const isSeries = welcomeDay !== null;
  const button = (intent: string, label: string, variant: "default" | "outline" = "outline") => (
    <Button type="submit" name="intent" value={intent} variant={variant} busy={pressed === intent}>
      {label}
    </Button>
  );
  return (
    <Form method="post" className="release-when">
      {state === "scheduled" && button("unschedule", "Take it back and go on writing")}
      {state === "sending" && button("stop", "Stop")}
      {state === "stopped" && button("resume", isSeries ? "Go on" : "Send to the rest", "default")}
      {state !== "scheduled" &&
        !isSeries &&
        button(inArchive ? "hide" : "show", archiveLabel(inArchive))}
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
function Doubtful({ state, doubtful, doubtfulAddresses, welcomeDay }: IssueStanding) {
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
      {(state === "sent" || (state === "sending" && welcomeDay !== null)) && (
        <Form method="post" className="release-when">
          <Button type="submit" name="intent" value="again" variant="outline" busy={busy}>
            Send it to them again
          </Button>
        </Form>
      )}
    </section>
  );
}
