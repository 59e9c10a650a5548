import { data } from "react-router";
import { InvalidPreferencesLink } from "~/features/accounts/components/email-preferences.tsx";
import {
  emailKind,
  findEmailPreferences,
  readPreferencesToken,
  turnOffEmails,
} from "~/features/accounts/email-preferences.server.ts";
import {
  emailKindMessages,
  emailPreferenceMessages,
  invalidPreferencesLink,
  preferencesPath,
} from "~/features/accounts/messages.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/email-off.ts";

export const headers = () => ({ "Cache-Control": "private, no-store" });

const asked = (url: URL) => ({
  token: url.searchParams.get("token") ?? "",
  kind: url.searchParams.get("kind") ?? "",
});
const choices = (token: string) => `${preferencesPath}?${new URLSearchParams({ token })}`;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const { token, ...named } = asked(url);
  const { data: kind } = emailKind.safeParse(named.kind);
  const userId = readPreferencesToken(services, token);
  if (!kind || userId === null) return data({ invalid: "broken" as const }, 400);
  const reader = await findEmailPreferences(services, userId);
  if (!reader) return data({ invalid: "gone" as const }, 410);
  return data({ invalid: null, kind, isWanted: reader.choices[kind], choices: choices(token) });
}

/** Only a POST switches off. One-click requests of email programs are answered in server/app.ts. */
export async function action({ context, url }: Route.ActionArgs) {
  const done = await turnOffEmails(servicesOf(context), asked(url));
  // The loader's page says what is wrong with the link.
  return done ? redirectWithToast(choices(asked(url).token), emailPreferenceMessages.off) : null;
}

export default function MailOff({ loaderData }: Route.ComponentProps) {
  if (loaderData.invalid)
    return (
      <>
        <PageHead title={invalidPreferencesLink[loaderData.invalid].title} noindex />
        <InvalidPreferencesLink state={loaderData.invalid} />
      </>
    );
  const { stop, stopped } = emailKindMessages[loaderData.kind];
  if (!loaderData.isWanted)
    return (
      <MessagePage title="These emails have stopped" lead={stopped}>
        <PageHead title="These emails have stopped" noindex />
        <p>
          <ButtonLink href={loaderData.choices} variant="outline">
            Choose your emails
          </ButtonLink>
        </p>
      </MessagePage>
    );
  return (
    <MessagePage title="Shall I stop writing?" lead={stop}>
      <PageHead title="Shall I stop writing?" noindex />
      <form method="post" className="flex flex-wrap gap-3">
        <Button type="submit">Stop these emails</Button>
        <ButtonLink href={loaderData.choices} variant="outline">
          Choose your emails
        </ButtonLink>
      </form>
    </MessagePage>
  );
}
