import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { readSeenDraft } from "~/features/drafts/rules.ts";
import FieldEditor from "~/features/pages/components/field-editor.tsx";
import { PageTexts } from "~/features/pages/components/page-texts.tsx";
import { getPageEditing, savePageDraft } from "~/features/pages/drafts.server.ts";
import { pageMessages } from "~/features/pages/messages.ts";
import { getField, requirePage } from "~/features/pages/pages.server.ts";
import { typedValue } from "~/features/pages/rules.ts";
import { newId } from "~/platform/db/ids.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { Refused, statusOf } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/page-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { id: userId } = requireAdmin(context, url);
  const page = await requirePage(servicesOf(context), params.id);
  const asking = { userId, timeZone: context.get(timeZoneContext) };
  const editing = await getPageEditing(servicesOf(context), page, asking);
  return { editing, path: page.path, opened: url.searchParams.get("field") };
}

/** Without scripts: saves one place as a draft. */
export async function action({ request, context, params, url }: Route.ActionArgs) {
  const { id: userId } = requireAdmin(context, url);
  const services = servicesOf(context);
  const page = await requirePage(services, params.id);
  const field = url.searchParams.get("field") ?? "";
  const fields = await formFields(request);
  const value = typedValue(page.kind, field, fields);
  const seen = readSeenDraft(fields.seen);
  const absorbed = seen ? [seen] : [];
  try {
    getField(page, field);
    const draft = { userId, draftId: newId(), revision: 1, absorbed, field, value };
    await savePageDraft(services, page, draft);
    const here = `/admin/pages/${page.name}?field=${field}#${field}`;
    return redirectWithToast(here, pageMessages.saved);
  } catch (error) {
    const { toast } = failure(services, error, pageMessages.failed);
    const status = error instanceof Refused ? statusOf[error.code] : 500;
    return data({ value, problem: toast.description ?? toast.title }, { status });
  }
}

export default function PageEdit({ loaderData, actionData }: Route.ComponentProps) {
  const { editing, path, opened } = loaderData;
  const { page, label } = editing;
  return (
    <AdminPage
      title={label}
      above={[{ href: "/admin/pages", label: "Pages" }]}
      actions={
        <>
          {path && (
            <ButtonLink href={`${path}?edit`} variant="outline" size="sm">
              Edit on the page
            </ButtonLink>
          )}
          <ButtonLink href={`/admin/pages/${page}/history`} variant="outline" size="sm">
            History
          </ButtonLink>
          <ButtonLink href={`/admin/pages/${page}/publish`} size="sm">
            Look and publish
          </ButtonLink>
        </>
      }
    >
      <PageHead title={`${label} - Edit page`} noindex />
      {actionData && (
        <Notice tone="destructive" live>
          <p>{actionData.problem}</p>
        </Notice>
      )}
      <PageTexts page={editing} opened={opened}>
        {opened && (
          <FieldEditor key={opened} page={editing} field={opened} typed={actionData?.value} />
        )}
      </PageTexts>
    </AdminPage>
  );
}
