import { useEffect, useMemo, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { useHydrated } from "~/ui/hydrated.ts";
import { Input } from "~/ui/inputs.tsx";
import { twoFactorMessages } from "../messages.ts";
import { makePasskey, takesPasskeys } from "./passkey-browser.ts";
import { ReauthenticationFields } from "./reauthentication.tsx";

type Proof = Parameters<typeof ReauthenticationFields>[0]["proof"];

export type PasskeyAnswer = {
  problem: string | null;
  /** Whether reauthentication is required (`asked`) or was just done (`shown`). */
  owner: "asked" | "shown" | null;
};

/** Adds a passkey. If reauthentication is required, it happens in place, then adding resumes. */
export function PasskeyAdd({ proof }: { proof: Proof }) {
  const fetcher = useFetcher<PasskeyAnswer>();
  const hydrated = useHydrated();
  const name = useRef<HTMLInputElement>(null);
  const [asking, setAsking] = useState(false);
  const [isStale, setStale] = useState(false);
  const [problem, setProblem] = useState<{ message: string } | null>(null);
  const answer = fetcher.state === "idle" ? fetcher.data : undefined;

  const make = async () => {
    const field = name.current;
    if (!field?.value.trim()) return setProblem({ message: twoFactorMessages.name });
    setProblem(null);
    setAsking(true);
    const made = await makePasskey();
    setAsking(false);
    if (made === "stale") return setStale(true);
    if (made === "cancelled") return;
    if ("problem" in made) return setProblem({ message: made.problem });
    const fields = { intent: "add-passkey", name: field.value, passkey: made.json };
    await fetcher.submit(fields, { method: "post" });
  };

  const makeNow = useRef(make);
  makeNow.current = make;
  useEffect(() => {
    if (answer?.owner === "asked") setStale(true);
    if (answer?.owner !== "shown") return;
    setStale(false);
    void makeNow.current();
  }, [answer]);

  const fieldError = useMemo(
    () => (answer?.problem ? { message: answer.problem } : null),
    [answer],
  );
  const isOwnersProblem = answer?.owner === "asked";
  const nameProblem = problem ?? (isOwnersProblem ? null : fieldError);
  useEffect(() => {
    if (nameProblem) name.current?.focus();
  }, [nameProblem]);

  if (!hydrated)
    return <p className="text-ink-soft">A passkey is made by your browser, with scripts.</p>;
  if (!takesPasskeys())
    return <p className="text-ink-soft">This browser does not know passkeys yet.</p>;
  const busy = asking || fetcher.state !== "idle";
  return (
    <div className="grid max-w-[22rem] gap-5">
      <Field
        label="Name of the new passkey"
        hint="For example the device that you make it on."
        error={nameProblem?.message}
      >
        <Input ref={name} name="name" maxLength={60} autoComplete="off" />
      </Field>
      {isStale ? (
        <fetcher.Form method="post" noValidate className="grid gap-5">
          <input type="hidden" name="intent" value="show-owner" />
          {proof !== "sign-in" && (
            <p>It has been a while since you signed in. Please show that it is you.</p>
          )}
          <ReauthenticationFields proof={proof} fieldError={isOwnersProblem ? fieldError : null} />
          {proof !== "sign-in" && (
            <p>
              <Button type="submit" busy={busy} busyLabel="One moment...">
                Go on
              </Button>
            </p>
          )}
        </fetcher.Form>
      ) : (
        <p>
          <Button variant="outline" onClick={make} busy={busy} busyLabel="One moment...">
            Add a passkey
          </Button>
        </p>
      )}
    </div>
  );
}
