import { data, Form, redirect, useNavigation } from "react-router";
import { AccountFrame, AccountPart } from "~/features/accounts/components/account-frame.tsx";
import { removeApp } from "~/features/accounts/factors/commands.server.ts";
import { OwnerProof } from "~/features/accounts/factors/components/owner-proof.tsx";
import { kinds, messages, securityPath } from "~/features/accounts/factors/texts.ts";
import { proveOwner } from "~/features/accounts/owner/commands.server.ts";
import { ownSession, proofOf } from "~/features/accounts/owner/queries.server.ts";
import { removePasskey } from "~/features/accounts/passkeys/commands.server.ts";
import { findWay } from "~/features/accounts/security/queries.server.ts";
import { PageHead } from "~/page-head.tsx";
import { servicesOf } from "~/platform/http/context.ts";
import { redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import type { Route } from "./+types/remove.ts";

export const handle = { hydrate: true };

async function asked({ context, url }: Pick<Route.LoaderArgs, "context" | "url">) {
  const own = ownSession(context, url);
  const query = url.searchParams;
  const way = await findWay(servicesOf(context), { userId: own.userId, query });
  if (!way) throw redirect(securityPath);
  return { own, way };
}

export async function loader(args: Route.LoaderArgs) {
  const { own, way } = await asked(args);
  const { kind, name, isLast } = way;
  return { kind, name, isLast, proof: await proofOf(servicesOf(args.context), own) };
}

export async function action(args: Route.ActionArgs) {
  const services = servicesOf(args.context);
  const { own, way } = await asked(args);
  const fields = await formFields(args.request);
  const complaint = await proveOwner(services, { ...own, fields });
  if (complaint) return data({ complaint, problem: null }, 400);
  const gone = { userId: own.userId, id: way.id };
  const problem =
    way.kind === "app" ? await removeApp(services, gone) : await removePasskey(services, gone);
  if (problem) return data({ complaint: null, problem }, 409);
  return redirectWithToast(securityPath, messages.removed);
}

/** Also after a refusal: what the page says has changed since it was opened. */
export const shouldRevalidate = () => true;

export default function Remove({ loaderData, actionData }: Route.ComponentProps) {
  const { kind, name, isLast, proof } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const { noun, gone, goneLast } = kinds[kind];
  return (
    <AccountFrame>
      <PageHead title={`Remove this ${noun}`} noindex />
      <AccountPart id="remove" title={`Remove “${name}”?`} lead={isLast ? goneLast : gone}>
        {actionData?.problem && (
          <Notice tone="destructive" live>
            {actionData.problem}
          </Notice>
        )}
        <Form method="post" noValidate className="grid max-w-[22rem] gap-5">
          <OwnerProof proof={proof} complaint={actionData?.complaint} />
          <div className="flex flex-wrap items-center gap-5">
            {proof !== "sign-in" && (
              <Button type="submit" variant="destructive" busy={busy} busyLabel="Removing...">
                Remove this {noun}
              </Button>
            )}
            <a href={securityPath}>Cancel</a>
          </div>
        </Form>
      </AccountPart>
    </AccountFrame>
  );
}
