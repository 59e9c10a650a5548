import { data, redirect } from "react-router";
import { findCareRequest, saveCareRequest } from "~/features/accounts/care-requests.server.ts";
import {
  EmailKindCheckbox,
  EmailPreferencesForm,
  InvalidPreferencesLink,
} from "~/features/accounts/components/email-preferences.tsx";
import {
  findEmailPreferences,
  readPreferencesToken,
  saveEmailPreferences,
} from "~/features/accounts/email-preferences.server.ts";
import {
  emailKinds,
  emailPreferenceMessages,
  invalidPreferencesLink,
  preferencesPath,
} from "~/features/accounts/messages.ts";

import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { emailKey } from "~/features/newsletter/rules.ts";
import {
  frequencyUrl,
  subscriberId,
  subscriptionOf,
} from "~/features/newsletter/subscribers.server.ts";
import { leaveList } from "~/features/newsletter/unsubscribe.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { MessagePage } from "~/ui/message-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/email-preferences.ts";

export const headers = () => ({ "Cache-Control": "private, no-store" });

// The user in the email's token, else the signed-in user. @throws to /auth without either
function whose({ context, url }: Pick<Route.LoaderArgs, "context" | "url">): string | null {
  const token = url.searchParams.get("token");
  if (token !== null) return readPreferencesToken(servicesOf(context), token);
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath(preferencesPath));
  return viewer.id;
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const userId = whose({ context, url });
  const reader = userId && (await findEmailPreferences(services, userId));
  if (!reader)
    return userId
      ? data({ invalid: "gone" as const }, 410)
      : data({ invalid: "broken" as const }, 400);
  const { choices, confirmedAddress } = reader;
  const newsletter = confirmedAddress ? await subscriptionOf(services, confirmedAddress) : null;
  const subscriber = confirmedAddress && subscriberId(services, emailKey(confirmedAddress));
  const frequency = subscriber ? frequencyUrl(services, subscriber) : null;
  const care = await findCareRequest(services, userId);
  return data({ invalid: null, choices, newsletter, frequency, care });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const userId = whose({ context, url });
  const form = await readForm(request);
  const reader = userId && (await findEmailPreferences(services, userId));
  // The loader's page says what is wrong with the link.
  if (!reader) return null;
  const kinds = emailKinds.filter((kind) => kind in reader.choices);
  const named = (name: string) => kinds.filter((kind) => form.getAll(name).includes(kind));
  const [asked, wanted] = [named("kind-shown"), named("kind")];
  await saveEmailPreferences(services, {
    userId,
    asked,
    wanted: wanted.filter((kind) => asked.includes(kind)),
  });
  if (form.has("care-shown"))
    await saveCareRequest(services, { userId, isWanted: form.has("care") });
  const { confirmedAddress } = reader;
  if (confirmedAddress && form.has("newsletter-shown") && !form.has("newsletter"))
    await leaveList(services, confirmedAddress);
  const [here, back] = [url.pathname + url.search, form.get("back")];
  const to = typeof back === "string" ? safeDestination(back, here) : here;
  return redirectWithToast(to, emailPreferenceMessages.saved);
}

export default function MailPreferences({ loaderData }: Route.ComponentProps) {
  if (loaderData.invalid)
    return (
      <>
        <PageHead title={invalidPreferencesLink[loaderData.invalid].title} noindex />
        <InvalidPreferencesLink state={loaderData.invalid} />
      </>
    );
  const { choices, newsletter, frequency, care } = loaderData;
  return (
    <MessagePage
      title="Your emails"
      lead="Tick what I may send you. You can change it at any time."
    >
      <PageHead title="Your emails" noindex />
      <EmailPreferencesForm choices={choices}>
        {care !== null && (
          <fieldset>
            <legend>
              <h2 className="text-xl">From me, by hand</h2>
            </legend>
            <div className="mt-3">
              <EmailKindCheckbox
                name="care"
                value="care"
                isWanted={care}
                label="Write to me if I am quiet for three weeks"
              >
                Then I see your name on a list, and that it has been three weeks. Nothing that you
                wrote.
              </EmailKindCheckbox>
            </div>
          </fieldset>
        )}
        {newsletter === "on" ? (
          <fieldset>
            <legend>
              <h2 className="text-xl">For everyone</h2>
            </legend>
            <div className="mt-3">
              <EmailKindCheckbox
                name="newsletter"
                value="newsletter"
                isWanted
                label="The weekly newsletter"
              >
                A reflection, or something small that helped somebody.
              </EmailKindCheckbox>
              {frequency !== null && (
                <p className="mt-1 ps-[2.125rem]">
                  <a href={frequency}>Once a month instead, or a pause</a>
                </p>
              )}
            </div>
          </fieldset>
        ) : null}
      </EmailPreferencesForm>
      {newsletter === "off" && (
        <p>
          The weekly newsletter does not come to this address. If you want it,{" "}
          <a href="/newsletter" className="whitespace-nowrap">
            sign up here
          </a>
          .
        </p>
      )}
      {newsletter === "asked" && (
        <p>
          You asked for the weekly newsletter. It comes as soon as you confirm with the link in the
          email that I sent you.
        </p>
      )}
      <section aria-labelledby="always">
        <h2 id="always" className="text-xl">
          What always comes
        </h2>
        <p className="mt-3">
          Emails that you ask for, or that you would miss: confirming your address, a new password,
          an invitation, your enrollment, a receipt, a refund. I send them when there is a reason,
          and only then.
        </p>
      </section>
    </MessagePage>
  );
}
