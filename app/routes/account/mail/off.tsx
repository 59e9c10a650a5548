import { data } from "react-router";
import { switchOff } from "~/features/accounts/letters/commands.server.ts";
import { DeadLettersLink } from "~/features/accounts/letters/components/dead-letters-link.tsx";
import { findReader, readPreferencesToken } from "~/features/accounts/letters/queries.server.ts";
import { letterKind } from "~/features/accounts/letters/schema.ts";
import {
  deadLinks,
  letterWords,
  messages,
  preferencesPath,
} from "~/features/accounts/letters/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { LetterPage } from "~/ui/letter-page.tsx";
import type { Route } from "./+types/off.ts";

/** The page is one person's, and its address is a key. */
const headersOfPage = { "Cache-Control": "private, no-store" };
export const headers: Route.HeadersFunction = () => headersOfPage;

const asked = (url: URL) => ({
  token: url.searchParams.get("token") ?? "",
  letter: url.searchParams.get("letter") ?? "",
});
const choices = (token: string) => `${preferencesPath}?${new URLSearchParams({ token })}`;

export async function loader({ context, url }: Route.LoaderArgs) {
  const services = servicesOf(context);
  const { token, letter } = asked(url);
  const { data: kind } = letterKind.safeParse(letter);
  const userId = readPreferencesToken(services, token);
  if (!kind || userId === null) return data({ dead: "broken" as const }, 400);
  const reader = await findReader(services, userId);
  if (!reader) return data({ dead: "gone" as const }, 410);
  return data({ dead: null, kind, isWanted: reader.choices[kind], choices: choices(token) });
}

/** Only a press switches off. What mail programs send by themselves is answered in server.ts. */
export async function action({ context, url }: Route.ActionArgs) {
  const done = await switchOff(servicesOf(context), asked(url));
  // The page of the loader says what is wrong with the link.
  return done ? redirectWithToast(choices(asked(url).token), messages.off) : null;
}

export default function MailOff({ loaderData }: Route.ComponentProps) {
  if (loaderData.dead)
    return (
      <>
        <PageHead title={deadLinks[loaderData.dead].title} noindex />
        <DeadLettersLink state={loaderData.dead} />
      </>
    );
  const { stop, stopped } = letterWords[loaderData.kind];
  if (!loaderData.isWanted)
    return (
      <LetterPage title="These letters have stopped" lead={stopped}>
        <PageHead title="These letters have stopped" noindex />
        <p>
          <ButtonLink href={loaderData.choices} variant="outline">
            Choose your letters
          </ButtonLink>
        </p>
      </LetterPage>
    );
  return (
    <LetterPage title="Shall I stop writing?" lead={stop}>
      <PageHead title="Shall I stop writing?" noindex />
      <form method="post" className="flex flex-wrap gap-3">
        <Button type="submit">Stop these letters</Button>
        <ButtonLink href={loaderData.choices} variant="outline">
          Choose your letters
        </ButtonLink>
      </form>
    </LetterPage>
  );
}
