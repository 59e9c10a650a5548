import { deletePath } from "~/features/accounts/messages.ts";
import { AccountFrame, AccountPart } from "~/features/auth/components/account-frame.tsx";
import { requireSession } from "~/features/auth/reauthentication.server.ts";
import { exportPath, journalPath } from "~/features/journal/messages.ts";
import { Button } from "~/ui/button.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/data.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  requireSession(context, url);
  return null;
}

export default function Data() {
  return (
    <AccountFrame>
      <PageHead title="Your data" noindex />
      <AccountPart
        id="yours"
        title="What is yours"
        lead="Everything you have written, and all other data about you."
      >
        <p>
          <a href={journalPath}>My journal</a>
        </p>
        <form method="post" action={exportPath}>
          <Button type="submit" variant="outline">
            Download everything
          </Button>
        </form>
      </AccountPart>
      <AccountPart
        id="delete"
        title="Delete your account"
        lead="With everything you have written. You have a week to change your mind."
      >
        <p>
          What is stored about you, and why, is in the <a href="/privacy">privacy policy</a>.
        </p>
        <p>
          <a href={deletePath}>Delete my account</a>
        </p>
      </AccountPart>
    </AccountFrame>
  );
}
