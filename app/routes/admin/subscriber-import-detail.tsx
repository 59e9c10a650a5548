import { data, useNavigation } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { subscribersPath } from "~/features/newsletter/messages.ts";
import { ColumnsForm } from "~/features/subscriber-import/components/import-form.tsx";
import {
  ImportProgress,
  ImportReport,
} from "~/features/subscriber-import/components/import-report.tsx";
import {
  beginImport,
  chooseColumns,
  findImport,
} from "~/features/subscriber-import/imports.server.ts";
import { importMessages, importPath } from "~/features/subscriber-import/messages.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/subscriber-import-detail.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const timeZone = context.get(timeZoneContext);
  const detail = await findImport(servicesOf(context), params.id, timeZone);
  if (!detail) throw data(null, 404);
  return { detail };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, email = "", firstName = "" } = await formFields(request);
  const here = `${importPath}/${params.id}`;
  try {
    if (intent === "columns") {
      await chooseColumns(services, params.id, { email, firstName });
      return redirectWithToast(here, null);
    }
    if (intent !== "import") throw new Refused("invalid", importMessages.failed);
    await beginImport(services, params.id);
    return redirectWithToast(here, importMessages.started);
  } catch (error) {
    const { status, toast } = failure(services, error, importMessages.failed);
    const typed = { email, firstName };
    if (error instanceof Refused && intent === "columns" && error.code === "invalid")
      return data({ typed, problem: error.message }, status);
    return data({ typed, problem: null }, { status, headers: flash(request, context, toast) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function SubscriberImportDetail({ loaderData, actionData }: Route.ComponentProps) {
  const { detail } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const refused = actionData && "typed" in actionData ? actionData : null;
  const { state, fileName, whereFrom, recognized, rows } = detail;
  return (
    <AdminPage
      title={<span className="wrap-anywhere">{fileName || "A file"}</span>}
      lead={leadOf(state, { recognized, rows, whereFrom })}
      above={[
        { href: "/admin/newsletter", label: "Newsletter" },
        { href: subscribersPath, label: "Subscribers" },
        { href: importPath, label: "Import" },
      ]}
      actions={
        state === "done" && (
          <ButtonLink variant="outline" href={subscribersPath}>
            To the list
          </ButtonLink>
        )
      }
    >
      <PageHead title="Import" noindex />
      {state === "columns" && (
        <ColumnsForm
          headings={detail.headings}
          typed={refused?.typed ?? { email: "", firstName: "" }}
          error={refused?.problem ?? null}
          busy={busy}
        />
      )}
      {(state === "reading" || state === "importing") && <ImportProgress detail={detail} />}
      {state === "unreadable" && (
        <Notice tone="destructive" title="This file could not be read">
          <p>
            {detail.problem} <a href={importPath}>Choose another file</a>
          </p>
        </Notice>
      )}
      {(state === "ready" || state === "done") && <ImportReport detail={detail} busy={busy} />}
    </AdminPage>
  );
}

type Lead = { recognized: string | null; rows: number; whereFrom: string };

function leadOf(state: string, { recognized, rows, whereFrom }: Lead): string {
  if (state !== "ready" && state !== "done") return `They signed up here: ${whereFrom}`;
  const count = `${rows.toLocaleString("en-US")} ${rows === 1 ? "row" : "rows"}`;
  return `${recognized ? `An export of ${recognized}, ${count}` : count}. They signed up here: ${whereFrom}`;
}
