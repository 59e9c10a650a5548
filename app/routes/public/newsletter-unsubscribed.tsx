import { data } from "react-router";
import { ReasonQuestion } from "~/features/newsletter/components/frequency-form.tsx";
import { leaveMessages } from "~/features/newsletter/messages.ts";
import { parseLeaveReason } from "~/features/newsletter/schema.ts";
import { findFrequency, saveLeaveReason } from "~/features/newsletter/unsubscribe.server.ts";
import { Pencil, useWords } from "~/features/pages/components/pencil.tsx";
import { pageWords } from "~/features/pages/page-words.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { ButtonLink } from "~/ui/button.tsx";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/newsletter-unsubscribed.ts";

const tokenOf = (url: URL) => url.searchParams.get("token") ?? "";

export async function loader({ context, url }: Route.LoaderArgs) {
  const token = tokenOf(url);
  const services = servicesOf(context);
  const hasLeft = token !== "" && (await findFrequency(services, token)).state === "off";
  return { ...(await pageWords({ context, url }, "newsletter")), token: hasLeft ? token : null };
}

/** Why, from those who want to say. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const fields = await formFields(request);
  const answer = parseLeaveReason(fields);
  if ("error" in answer) {
    const values = { reason: fields.reason, text: fields.text };
    return data({ values, error: answer.error }, 400);
  }
  const { stored: reason } = answer;
  const isSaved =
    reason !== null &&
    (await saveLeaveReason(servicesOf(context), { token: tokenOf(url), reason }));
  return redirectWithToast("/newsletter/unsubscribed", isSaved ? leaveMessages.thanks : null);
}

export default function NewsletterUnsubscribed({ loaderData, actionData }: Route.ComponentProps) {
  const { token } = loaderData;
  const words = useWords(loaderData.words);
  return (
    <MessagePage title={words.leftTitle} lead={words.leftLead}>
      <PageHead title={words.leftTitle} noindex />
      <p>
        {words.leftText}
        <Pencil at="leftText" />
      </p>
      <p className="flex flex-wrap gap-3">
        <ButtonLink href="/newsletter" variant="outline">
          Subscribe again
        </ButtonLink>
        <ButtonLink href="/" variant="ghost">
          Go Home
        </ButtonLink>
      </p>
      {token !== null && <ReasonQuestion token={token} {...actionData} />}
    </MessagePage>
  );
}
