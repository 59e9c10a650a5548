import { data, useNavigation } from "react-router";
import {
  inviteAdministrator,
  listAdminInvitations,
  withdrawAdminInvitation,
} from "~/features/accounts/admin-invitations.server.ts";
import {
  listAdministrators,
  removeAdministrator,
} from "~/features/accounts/administrators.server.ts";
import {
  AdminInvitationList,
  AdministratorList,
  InviteAdministrator,
  RemoveAdministrator,
} from "~/features/accounts/components/administrators.tsx";
import { administratorMessages, administratorsPath } from "~/features/accounts/messages.ts";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import {
  getReauthenticationMethods,
  reauthenticate,
  requireSession,
} from "~/features/auth/reauthentication.server.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { clockTime, shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/administrators.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const { id: self } = requireAdmin(context, url);
  const services = servicesOf(context);
  const zone = context.get(timeZoneContext);
  const [admins, invited, proof] = await Promise.all([
    listAdministrators(services),
    listAdminInvitations(services),
    getReauthenticationMethods(services, requireSession(context, url)),
  ]);
  const lines = admins.map(({ createdAt, suspendedAt, ...admin }) => ({
    ...admin,
    since: shortDate(createdAt, zone),
    state: suspendedAt ? "Suspended" : "Active",
  }));
  const waiting = invited.map(({ expiresAt, ...invitation }) => ({
    ...invitation,
    until: `${shortDate(expiresAt, zone)}, ${clockTime(expiresAt, zone)}`,
  }));
  const asked = url.searchParams.get("remove");
  const found = lines.find(({ id }) => id === asked && id !== self);
  const { config } = services;
  const comesBack = found?.email === config.admin?.email.toLowerCase();
  const removing = found ? { ...found, comesBack, toFiles: !config.smtpUrl } : null;
  return { self, lines, waiting, proof, removing };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "", ...fields } = await formFields(request);
  const typed = { email: fields.email };
  try {
    if (intent === "withdraw") {
      await withdrawAdminInvitation(services, id);
      return redirectWithToast(administratorsPath, administratorMessages.withdrawn);
    }
    if (intent !== "invite" && intent !== "remove") throw data(null, 400);
    const proven = { ...requireSession(context, url), fields };
    const fieldError =
      (await reauthenticate(services, proven)) ??
      (intent === "invite"
        ? await inviteAdministrator(services, { typed: typed.email, by: admin })
        : null);
    if (fieldError) return formErrorResponse({ request, context }, fieldError, typed);
    if (intent === "remove") await removeAdministrator(services, { id, by: admin.id });
    services.wakeWorker();
    const { writtenToFile, removed } = administratorMessages;
    const invited = services.config.smtpUrl ? administratorMessages.invited : writtenToFile;
    return redirectWithToast(administratorsPath, intent === "invite" ? invited : removed);
  } catch (error) {
    const { toast } = failure(services, error, administratorMessages.failed);
    return redirectWithToast(administratorsPath, toast);
  }
}

export { reloadAlways as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function AdministratorsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { self, lines, waiting, proof, removing } = loaderData;
  const busy = useNavigation().formAction !== undefined;
  const fieldError = actionData?.fieldError ?? null;
  const settings = { href: "/admin/settings", label: "Settings" };
  if (removing) {
    const title = `Remove ${removing.name} as an administrator?`;
    const above = [settings, { href: administratorsPath, label: "Administrators" }];
    return (
      <AdminPage title={title} above={above}>
        <PageHead title={title} noindex />
        <RemoveAdministrator {...removing} {...{ proof, fieldError, busy }} />
      </AdminPage>
    );
  }
  return (
    <AdminPage title="Administrators" lead="Who can open this area." above={[settings]}>
      <PageHead title="Administrators" noindex />
      <AdministratorList lines={lines} self={self} />
      <AdminInvitationList lines={waiting} />
      <InviteAdministrator {...{ proof, fieldError, busy }} email={actionData?.typed.email} />
    </AdminPage>
  );
}
