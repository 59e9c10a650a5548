import { Form } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Wish } from "../queries.server.ts";

/** Another address is asked for: which letters are confirmed, and which still wait. */
export function WaitingAddress({ email, wish }: { email: string; wish: Wish }) {
  const { newEmail, until, isOldDone, isNewDone } = wish;
  const letters = [
    { address: email, isDone: isOldDone },
    { address: newEmail, isDone: isNewDone },
  ];
  return (
    <>
      <Notice title={`It changes to ${newEmail} once both are confirmed`}>
        <p>Please press the button that the link of each letter leads to, before {until}.</p>
      </Notice>
      <ul className="account-rows">
        {letters.map(({ address, isDone }) => (
          <li key={address}>
            <span>{address}</span>
            <span className={isDone ? "text-sage" : "text-ink-soft"}>
              {isDone ? "Confirmed" : "Waits for you"}
            </span>
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">
        No letter? It can take a minute, and sometimes it lands among the spam. To try again, or
        with another address, keep the one you have first.
      </p>
      <Form method="post">
        <input type="hidden" name="intent" value="cancel" />
        <Button type="submit" variant="outline">
          Keep my address
        </Button>
      </Form>
    </>
  );
}
