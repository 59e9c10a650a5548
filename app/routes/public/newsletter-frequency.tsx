import { data, redirect } from "react-router";
import { FrequencyForm, InvalidLink } from "~/features/newsletter/components/frequency-form.tsx";
import { frequencyChange } from "~/features/newsletter/schema.ts";
import { changeFrequency, findFrequency } from "~/features/newsletter/unsubscribe.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { formFields } from "~/platform/http/form.ts";
import { dateInWords } from "~/platform/time/words.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-frequency.ts";

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = tokenOf(url);
  const { state, monthly, pausedUntil, timeZone } = await findFrequency(servicesOf(context), token);
  const paused = pausedUntil && dateInWords(pausedUntil, timeZone);
  return data({ state, monthly, paused, token }, state === "invalid" ? 400 : 200);
}

/** Only a POST changes anything: programs open every link of an email. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const token = tokenOf(url);
  const { data: change } = frequencyChange.safeParse((await formFields(request)).change);
  const isOurs = change && (await changeFrequency(servicesOf(context), { token, change }));
  return isOurs ? redirect(`/newsletter/frequency?token=${encodeURIComponent(token)}`, 303) : null;
}

export default function NewsletterFrequency({ loaderData }: Route.ComponentProps) {
  const { state, monthly, paused, token } = loaderData;
  if (state === "invalid")
    return <InvalidLink head={<PageHead title="This link does not work" noindex />} />;
  if (state === "off")
    return (
      <MessagePage
        title="You’re not on the list"
        lead="No newsletter comes to this address, so there is nothing to change."
      >
        <PageHead title="You’re not on the list" noindex />
        <p>
          <ButtonLink href="/newsletter" variant="outline">
            Subscribe again
          </ButtonLink>
        </p>
      </MessagePage>
    );
  const title = paused ? `A pause until ${paused}` : monthly ? "Once a month" : "Once a week";
  const rhythm = monthly
    ? "one email at the beginning of each month, with what has appeared in the month before"
    : "each newsletter when it goes out, once a week";
  return (
    <MessagePage
      title={title}
      lead={
        paused ? `I won’t write before that day. After it you get ${rhythm}.` : `You get ${rhythm}.`
      }
    >
      <PageHead title={title} noindex />
      <FrequencyForm token={token} monthly={monthly} isPaused={paused !== null} />
      <p className="text-ink-soft">
        Every newsletter has a link at its end to change this again. You can also{" "}
        <a href={`/newsletter/unsubscribe?token=${encodeURIComponent(token)}`}>unsubscribe</a>.
      </p>
    </MessagePage>
  );
}
