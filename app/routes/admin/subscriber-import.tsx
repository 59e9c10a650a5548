import { data, redirect, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { subscribersPath } from "~/features/newsletter/messages.ts";
import {
  ImportIntroduction,
  ImportList,
  UploadForm,
} from "~/features/subscriber-import/components/import-form.tsx";
import { listImports } from "~/features/subscriber-import/imports.server.ts";
import { importMessages, importPath } from "~/features/subscriber-import/messages.ts";
import { uploadImport } from "~/features/subscriber-import/upload.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash } from "~/platform/http/flash.ts";
import { readForm } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/subscriber-import.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const hasProvider = Boolean(services.config.newsletterForm);
  try {
    return { hasProvider, lines: await listImports(services, context.get(timeZoneContext)) };
  } catch (error) {
    services.log.error({ err: error }, "the imported files could not be listed");
    return { hasProvider, lines: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const form = await readForm(request);
  const sent = form.get("file");
  const file = sent instanceof File ? sent : null;
  const where = String(form.get("where") ?? "")
    .replaceAll("\0", "")
    .trim();
  try {
    const result = await uploadImport(services, { file, where });
    if ("errors" in result) return data({ errors: result.errors, where }, 400);
    return redirect(`${importPath}/${result.id}`, 303);
  } catch (error) {
    const { status, toast } = failure(services, error, importMessages.failed);
    return data({ errors: {}, where }, { status, headers: flash(request, context, toast) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function SubscriberImportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { hasProvider, lines } = loaderData;
  const refused = actionData && "where" in actionData ? actionData : null;
  return (
    <AdminPage
      title="Import subscribers"
      lead="Take a list along from another service."
      above={[
        { href: "/admin/newsletter", label: "Newsletter" },
        { href: subscribersPath, label: "Subscribers" },
      ]}
    >
      <PageHead title="Import subscribers" noindex />
      {hasProvider && (
        <Notice className="mb-8" tone="warning">
          <p>
            Your newsletter provider has your list at present. A file that you import here goes to
            the site’s own list, and not to the provider.
          </p>
        </Notice>
      )}
      <ImportIntroduction />
      <UploadForm
        where={refused?.where ?? ""}
        errors={refused?.errors ?? {}}
        busy={useNavigation().formAction !== undefined}
      />
      {lines ? (
        <ImportList lines={lines} />
      ) : (
        <LoadFailed message={importMessages.loadFailed} href={importPath} />
      )}
    </AdminPage>
  );
}
