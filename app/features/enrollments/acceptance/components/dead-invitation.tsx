import { Entry } from "~/features/accounts/components/entry.tsx";
import { authPath } from "~/features/accounts/rules.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { site } from "~content/site.ts";
import { type DeadInvitation as Dead, deadInvitations } from "../texts.ts";

/** Why the link does not lead into the course, and what to do about it. */
export function DeadInvitation({ state, slug }: { state: Dead; slug: string | null }) {
  const { title, lead } = deadInvitations[state];
  return (
    <Entry title={title} subtitle={lead} news>
      {slug && (
        <p>
          <ButtonLink href={authPath(`/courses/${slug}/learn`)} size="lg">
            Go to sign in
          </ButtonLink>
        </p>
      )}
      <p className="text-ink-soft">
        {slug ? "Was it not you? Write to me at " : "If you would like to come, write to me at "}
        <a href={`mailto:${site.email}`}>{site.email}</a>
        {slug ? "." : ", and I will see to it."}
      </p>
    </Entry>
  );
}
