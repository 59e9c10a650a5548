import { data, redirect } from "react-router";
import { chooseLetters } from "~/features/accounts/letters/commands.server.ts";
import { DeadLettersLink } from "~/features/accounts/letters/components/dead-letters-link.tsx";
import {
  LetterBox,
  PreferencesForm,
} from "~/features/accounts/letters/components/preferences-form.tsx";
import { findReader, readPreferencesToken } from "~/features/accounts/letters/queries.server.ts";
import { letterKinds } from "~/features/accounts/letters/schema.ts";
import { deadLinks, messages, preferencesPath } from "~/features/accounts/letters/texts.ts";
import { authPath } from "~/features/accounts/rules.ts";
import { leaveList } from "~/features/newsletter/list/commands.server.ts";
import { subscriptionOf } from "~/features/newsletter/list/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf, viewerOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { LetterPage } from "~/ui/letter-page.tsx";
import type { Route } from "./+types/preferences.ts";

/** The page is one person's, and its address is a key. */
const headersOfPage = { "Cache-Control": "private, no-store" };
export const headers: Route.HeadersFunction = () => headersOfPage;

type Asked = Pick<Route.LoaderArgs, "context" | "url">;

/** Whose letters: a letter's link says it, else who is signed in. @throws to /auth without either */
function whose({ context, url }: Asked): string | null {
  const token = url.searchParams.get("token");
  if (token !== null) return readPreferencesToken(servicesOf(context), token);
  const viewer = viewerOf(context);
  if (!viewer) throw redirect(authPath(preferencesPath));
  return viewer.id;
}

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const userId = whose({ context, url });
  const reader = userId && (await findReader(services, userId));
  if (!reader)
    return userId ? data({ dead: "gone" as const }, 410) : data({ dead: "broken" as const }, 400);
  const { choices, confirmedAddress } = reader;
  const newsletter = confirmedAddress ? await subscriptionOf(services, confirmedAddress) : null;
  return data({ dead: null, choices, newsletter });
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const services = servicesOf(context);
  const userId = whose({ context, url });
  const form = await readForm(request);
  const reader = userId && (await findReader(services, userId));
  // The page of the loader says what is wrong with the link.
  if (!reader) return null;
  const named = (name: string) => letterKinds.filter((kind) => form.getAll(name).includes(kind));
  const [asked, wanted] = [named("letter-shown"), named("letter")];
  await chooseLetters(services, {
    userId,
    asked,
    wanted: wanted.filter((kind) => asked.includes(kind)),
  });
  const { confirmedAddress } = reader;
  if (confirmedAddress && form.has("newsletter-shown") && !form.has("newsletter"))
    await leaveList(services, confirmedAddress);
  return redirectWithToast(url.pathname + url.search, messages.saved);
}

export default function MailPreferences({ loaderData }: Route.ComponentProps) {
  if (loaderData.dead)
    return (
      <>
        <PageHead title={deadLinks[loaderData.dead].title} noindex />
        <DeadLettersLink state={loaderData.dead} />
      </>
    );
  const { choices, newsletter } = loaderData;
  return (
    <LetterPage
      title="Your letters"
      lead="Tick what I may send you. You can change it at any time."
    >
      <PageHead title="Your letters" noindex />
      <PreferencesForm choices={choices}>
        {newsletter === "on" ? (
          <fieldset>
            <legend>
              <h2 className="text-xl">For everyone</h2>
            </legend>
            <div className="mt-3">
              <LetterBox name="newsletter" value="newsletter" isWanted label="The weekly letter">
                A reflection, or something small that helped somebody.
              </LetterBox>
            </div>
          </fieldset>
        ) : null}
      </PreferencesForm>
      {newsletter === "off" && (
        <p>
          The weekly letter does not come to this address. If you want it,{" "}
          <a href="/newsletter">sign up here</a>.
        </p>
      )}
      {newsletter === "asked" && (
        <p>
          You asked for the weekly letter. It comes as soon as you press the button in the letter of
          confirmation that I sent you.
        </p>
      )}
      <section aria-labelledby="always">
        <h2 id="always" className="text-xl">
          What always comes
        </h2>
        <p className="mt-3">
          Letters that you cause yourself, or that you would miss: confirming your address, a new
          password, an invitation, your way into a course, a receipt, a refund. I send them when
          there is a reason, and only then.
        </p>
      </section>
    </LetterPage>
  );
}
