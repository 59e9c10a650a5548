import { useState } from "react";
import { useSubmit } from "react-router";
import { Button } from "~/ui/button.tsx";
import { useHydrated } from "~/ui/hydrated.ts";
import { askForPasskey, takesPasskeys, withoutPasskeys } from "./passkey-browser.ts";

type Props = {
  label: string;
  busy: boolean;
  variant?: "outline" | "default";
};

/** Signs in with a passkey, where the browser supports them. Submits the response as a form. */
export function PasskeySignIn({ label, busy, variant = "outline" }: Props) {
  const submit = useSubmit();
  const hydrated = useHydrated();
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (hydrated && !takesPasskeys()) return null;
  const press = async () => {
    setProblem(null);
    setAsking(true);
    const answer = await askForPasskey();
    setAsking(false);
    if (answer === "cancelled") return;
    if ("problem" in answer) return setProblem(answer.problem);
    const fields = { intent: "passkey", passkey: answer.json };
    await submit(fields, { method: "post" });
  };
  return (
    <div className="needs-scripts" suppressHydrationWarning>
      {!hydrated && (
        <script
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant, allowed by its hash
          dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? withoutPasskeys : "" }}
          suppressHydrationWarning
        />
      )}
      <div className="grid gap-3">
        <Button
          size="lg"
          variant={variant}
          onClick={press}
          busy={asking || busy}
          busyLabel="One moment..."
        >
          {label}
        </Button>
        <p role="status" className="field-error empty:hidden">
          {problem}
        </p>
      </div>
    </div>
  );
}
