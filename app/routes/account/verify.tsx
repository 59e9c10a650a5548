import { data, Form, useNavigation } from "react-router";
import { destinationAfterSignIn } from "~/features/accounts/access/queries.server.ts";
import { PasswordField } from "~/features/accounts/components/credential-fields.tsx";
import { Entry } from "~/features/accounts/components/entry.tsx";
import { confirmEmail } from "~/features/accounts/confirming/commands.server.ts";
import { whatToAsk } from "~/features/accounts/confirming/queries.server.ts";
import { authPath, safeDestination } from "~/features/accounts/rules.ts";
import { messages } from "~/features/accounts/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { callerOf } from "~/platform/auth/call.ts";
import { clientAddressContext, servicesOf } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import type { Route } from "./+types/verify.ts";

export const handle = { hydrate: true };

function asked(request: Request) {
  const query = new URL(request.url).searchParams;
  return {
    token: query.get("token") ?? "",
    destination: safeDestination(query.get("redirect")),
  };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { token, destination } = asked(request);
  const caller = callerOf(request, context.get(clientAddressContext));
  return {
    asks: await whatToAsk(servicesOf(context), caller, token),
    back: authPath(destination),
    forgot: authPath(destination, "/auth/forgot"),
  };
}

/** Only a press confirms: programs that open every link of a letter confirm nobody. */
export async function action({ request, context }: Route.ActionArgs) {
  const { token, destination } = asked(request);
  const services = servicesOf(context);
  const caller = callerOf(request, context.get(clientAddressContext));
  const { password = "" } = await formFields(request);
  const result = await confirmEmail(services, caller, { token, password });
  if ("wrongPassword" in result) {
    const complaint = { field: "password", message: result.wrongPassword };
    return data({ deadLink: false, complaint }, 400);
  }
  if (!result.ok && result.reason === "link") return data({ deadLink: true, complaint: null }, 400);
  if (!result.ok) {
    const toast = { title: messages.verifyFailed, description: result.problem };
    const headers = flash(request, context, { ...toast, tone: "destructive" });
    const status = result.reason === "busy" ? 503 : 400;
    return data({ deadLink: false, complaint: null }, { status, headers });
  }
  if (result.setCookies.length === 0)
    return redirectWithToast(authPath(destination), {
      ...messages.verifiedBefore,
      tone: "success",
    });
  const { setCookies } = result;
  const { to, isIn } = await destinationAfterSignIn(services, setCookies, destination);
  const toast = isIn ? messages.verified : messages.verifiedBefore;
  return asDocument(redirectWithToast(to, { ...toast, tone: "success" }, result.setCookies));
}

const subtitles = {
  nothing: "One press, and your account is ready.",
  password: "This account was made on another device, so your password shows that it was you.",
  "new-password": "This account was made on another device. Choose a password, and it is ready.",
};

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (actionData?.deadLink)
    return (
      <Entry
        title={messages.deadLink}
        subtitle="Links work for a day. Sign in with your email and password, and you can have a new one."
        news
      >
        <PageHead title={messages.deadLink} noindex />
        <p>
          <ButtonLink href={loaderData.back} size="lg">
            Go to sign in
          </ButtonLink>
        </p>
      </Entry>
    );
  const { asks, forgot } = loaderData;
  if (asks === "new-password")
    return (
      <Entry title="Confirm your address" subtitle={subtitles[asks]}>
        <PageHead title="Confirm your address" noindex />
        <p>
          <ButtonLink href={forgot} size="lg">
            Choose a password
          </ButtonLink>
        </p>
      </Entry>
    );
  return (
    <Entry title="Confirm your address" subtitle={subtitles[asks]}>
      <PageHead title="Confirm your address" noindex />
      <Form method="post" noValidate className="grid gap-5">
        {asks === "password" && (
          <PasswordField
            complaint={actionData?.complaint ?? null}
            fresh={false}
            label="The password that you chose"
          />
        )}
        <Button type="submit" size="lg" busy={busy} busyLabel="Confirming...">
          Confirm my address
        </Button>
      </Form>
      {asks === "password" && (
        <p>
          You have forgotten it, or it was not you who signed up?{" "}
          <a href={forgot}>Choose a password of your own</a>
        </p>
      )}
    </Entry>
  );
}
