import { data, Form, useNavigation } from "react-router";
import { AuthPage } from "~/features/auth/components/auth-page.tsx";
import { PasswordField } from "~/features/auth/components/credential-fields.tsx";
import {
  confirmEmail,
  getVerificationQuestion,
} from "~/features/auth/email-verification.server.ts";
import { authMessages } from "~/features/auth/messages.ts";
import { authPath, safeDestination } from "~/features/auth/rules.ts";
import { destinationAfterSignIn } from "~/features/auth/sign-in.server.ts";
import { currentCaller, servicesOf } from "~/platform/http/context.ts";
import { asDocument, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { AnswerPage } from "../answer-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/verify.ts";

export const handle = { hydrate: true } satisfies RouteHandle;

function asked(request: Request) {
  const query = new URL(request.url).searchParams;
  return {
    token: query.get("token") ?? "",
    destination: safeDestination(query.get("redirect")),
  };
}

export async function loader({ request, context }: Route.LoaderArgs) {
  const { token, destination } = asked(request);
  const caller = currentCaller({ request, context });
  return {
    asks: await getVerificationQuestion(servicesOf(context), caller, token),
    back: authPath(destination),
    forgot: authPath(destination, "/auth/forgot"),
  };
}

/** Only a POST confirms: programs that open every link of an email confirm nothing. */
export async function action({ request, context }: Route.ActionArgs) {
  const { token, destination } = asked(request);
  const services = servicesOf(context);
  const caller = currentCaller({ request, context });
  const { password = "" } = await formFields(request);
  const result = await confirmEmail(services, caller, { token, password });
  if ("wrongPassword" in result) {
    const fieldError = { field: "password", message: result.wrongPassword };
    return data({ invalidLink: false, fieldError }, 400);
  }
  if (!result.ok && result.reason === "link")
    return data({ invalidLink: true, fieldError: null }, 400);
  if (!result.ok) {
    const toast = { title: authMessages.verifyFailed, description: result.problem };
    const headers = flash(request, context, { ...toast, tone: "destructive" });
    const status = result.reason === "busy" ? 503 : 400;
    return data({ invalidLink: false, fieldError: null }, { status, headers });
  }
  if (result.setCookies.length === 0)
    return redirectWithToast(authPath(destination), {
      ...authMessages.verifiedBefore,
      tone: "success",
    });
  const { setCookies } = result;
  const { to, isIn } = await destinationAfterSignIn(services, setCookies, destination);
  const toast = isIn ? authMessages.verified : authMessages.verifiedBefore;
  return asDocument(redirectWithToast(to, { ...toast, tone: "success" }, result.setCookies));
}

const subtitles = {
  nothing: "One press, and your account is ready.",
  password: "This account was made on another device, so your password shows that it was you.",
  "new-password": "This account was made on another device. Choose a password, and it is ready.",
};

export default function Verify({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().formAction !== undefined;
  if (actionData?.invalidLink)
    return (
      <AnswerPage
        title={authMessages.invalidLink}
        subtitle="Links work for a day. Sign in with your email and password, and you can have a new one."
        href={loaderData.back}
        action="Go to sign in"
      />
    );
  const { asks, forgot } = loaderData;
  if (asks === "new-password")
    return (
      <AnswerPage
        title="Confirm your address"
        subtitle={subtitles[asks]}
        href={forgot}
        action="Choose a password"
        news={false}
      />
    );
  return (
    <AuthPage title="Confirm your address" subtitle={subtitles[asks]}>
      <PageHead title="Confirm your address" noindex />
      <Form method="post" noValidate className="grid gap-5">
        {asks === "password" && (
          <PasswordField
            fieldError={actionData?.fieldError ?? null}
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
    </AuthPage>
  );
}
