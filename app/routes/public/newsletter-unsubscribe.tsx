import { data, redirect } from "react-router";
import { FrequencyForm, InvalidLink } from "~/features/newsletter/components/frequency-form.tsx";
import { findFrequency, unsubscribe } from "~/features/newsletter/unsubscribe.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-unsubscribe.ts";

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const token = tokenOf(url);
  const { state, monthly, pausedUntil } = await findFrequency(services, token);
  const words = services.content.page("newsletter");
  const frequency = { state, monthly, isPaused: pausedUntil !== null };
  return data({ ...frequency, token, words }, state === "invalid" ? 400 : 200);
}

/** Only a POST unsubscribes. One-click requests of email programs are answered in server/app.ts. */
export async function action({ context, url }: Route.ActionArgs) {
  const token = tokenOf(url);
  const issue = url.searchParams.get("issue") ?? "";
  const done = await unsubscribe(servicesOf(context), { token, issue });
  const to = `/newsletter/unsubscribed?token=${encodeURIComponent(token)}`;
  return done ? redirect(to, 303) : null;
}

export default function NewsletterUnsubscribe({ loaderData }: Route.ComponentProps) {
  const { state, monthly, isPaused, token, words } = loaderData;
  if (state === "invalid")
    return <InvalidLink head={<PageHead title="This link does not work" noindex />} />;
  return (
    <MessagePage title={words.leaveTitle} lead={words.leaveLead}>
      <PageHead title="Unsubscribe" noindex />
      <form method="post" className="flex flex-wrap gap-3">
        <Button type="submit">{words.leaveButton}</Button>
        <ButtonLink href="/" variant="outline">
          {words.stayButton}
        </ButtonLink>
      </form>
      {state === "on" && (
        <div className="grid gap-4 border-t border-line pt-8">
          <p className="text-ink-soft">Or, if less would do:</p>
          <FrequencyForm token={token} monthly={monthly} isPaused={isPaused} />
        </div>
      )}
    </MessagePage>
  );
}
