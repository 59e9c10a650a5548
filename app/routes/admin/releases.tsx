import { Form } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { ReleaseList } from "~/features/releases/components/release-list.tsx";
import { releaseMessages } from "~/features/releases/messages.ts";
import { createRelease, listReleases } from "~/features/releases/releases.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/releases.ts";

const list = "/admin/releases";

export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  return { releases: await listReleases(servicesOf(context), context.get(timeZoneContext)) };
}

/** Makes a release. */
export async function action({ request, context, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { title = "" } = await formFields(request);
  try {
    return redirectWithToast(`${list}/${await createRelease(services, title)}`, null);
  } catch (error) {
    return redirectWithToast(list, failure(services, error, releaseMessages.failed).toast);
  }
}

export default function Releases({ loaderData: { releases } }: Route.ComponentProps) {
  return (
    <AdminPage
      title="Releases"
      lead="Changes that become public together, and can be taken back together."
      above={[{ href: "/admin/pages", label: "Pages" }]}
    >
      <PageHead title="Releases" noindex />
      <ReleaseList releases={releases} />
      <Form method="post" className="release-form">
        <Field label="Name of a new release">
          <Input name="title" required dense />
        </Field>
        <Button type="submit" variant="outline">
          Make a release
        </Button>
      </Form>
    </AdminPage>
  );
}
