import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { deletePath } from "~/features/accounts/leaving/texts.ts";
import { ownSession } from "~/features/accounts/owner/queries.server.ts";
import { exportPath, journalPath } from "~/features/learning/notebook/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { Button } from "~/ui/button.tsx";
import type { Route } from "./+types/data.ts";

export function loader({ context, url }: Route.LoaderArgs) {
  ownSession(context, url);
  return null;
}

export default function Data() {
  return (
    <AccountFrame>
      <PageHead title="Your data" noindex />
      <AccountPart
        id="yours"
        title="What is yours"
        lead="Everything you have written, and all else that is kept about you."
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
          What is kept about you, and why, is in the <a href="/privacy">privacy policy</a>.
        </p>
        <p>
          <a href={deletePath}>Delete my account</a>
        </p>
      </AccountPart>
    </AccountFrame>
  );
}
