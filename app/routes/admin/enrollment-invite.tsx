import { useLocation, useNavigation } from "react-router";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { firstFieldError } from "~/features/auth/rules.ts";
import { listCourseChoices } from "~/features/courses/courses.server.ts";
import { InviteForm } from "~/features/enrollments/components/enroll-forms.tsx";
import { InvitationList } from "~/features/enrollments/components/invitation-list.tsx";
import {
  inviteStudent,
  listPendingInvitations,
  resendInvitation,
  withdrawInvitation,
} from "~/features/enrollments/invitations.server.ts";
import { invitationMessages } from "~/features/enrollments/messages.ts";
import { invitedToast } from "~/features/enrollments/rules.ts";
import { invitationFields } from "~/features/enrollments/schema.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { reasonToShow, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/enrollment-invite.ts";

const rowsAPage = 50;

/** `?course=` and `?email=` prefill the form. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { cursor } = readListParams(url, { created: "desc" });
  const day = (date: Date) => shortDate(date, context.get(timeZoneContext));
  const asked = (name: string) => url.searchParams.get(name) ?? "";
  const values = { productId: asked("course"), email: asked("email"), name: "" };
  try {
    const [{ rows, previous, next }, courses] = await Promise.all([
      listPendingInvitations(services, { cursor, limit: rowsAPage }),
      listCourseChoices(services),
    ]);
    const lines = rows.map(({ sentAt, expiresAt, ...row }) => ({
      ...row,
      sent: day(sentAt),
      until: day(expiresAt),
    }));
    return { values, loaded: { waiting: { lines, previous, next }, courses } };
  } catch (error) {
    services.log.error({ err: error }, invitationMessages.loadFailed);
    return { values, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "", ...fields } = await formFields(request);
  const { productId = "", email = "", name = "" } = fields;
  const toFiles = !services.config.smtpUrl;
  const { sentAgain, writtenAgain } = invitationMessages;
  const refuse = (fieldError: { field: string; message: string }) =>
    formErrorResponse({ request, context }, fieldError, { productId, email, name }, "Error");
  try {
    if (intent === "again") {
      await resendInvitation(services, { id, sentBy: admin.id });
      return redirectWithToast(url.pathname + url.search, toFiles ? writtenAgain : sentAgain);
    }
    if (intent === "withdraw") {
      await withdrawInvitation(services, id);
      return redirectWithToast(url.pathname + url.search, invitationMessages.withdrawn);
    }
    const parsed = invitationFields.safeParse(fields);
    if (!parsed.success) return refuse(firstFieldError(parsed) ?? { field: "", message: "" });
    const enrolled = await inviteStudent(services, { ...parsed.data, invitedBy: admin.id });
    const since = enrolled && shortDate(enrolled.createdAt, context.get(timeZoneContext));
    return redirectWithToast(
      enrolled ? `/admin/enrollments/${enrolled.id}` : url.pathname,
      invitedToast({ email: parsed.data.email, enrolled, since: since ?? "", toFiles }),
    );
  } catch (error) {
    return refuse({ field: "", message: reasonToShow(services, error, invitationMessages.failed) });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

export default function InvitePage({ loaderData, actionData }: Route.ComponentProps) {
  const { values, loaded } = loaderData;
  const refused = actionData && "typed" in actionData ? actionData : null;
  const here = useLocation();
  const form = useNavigation().formData;
  return (
    <AdminPage
      title="Invite by email"
      lead="For somebody who has no account yet: it is made when the link in the email is opened."
      above={[
        { href: "/admin/students", label: "Students" },
        { href: "/admin/enrollments", label: "Enrollments" },
      ]}
    >
      <PageHead title="Invite by email" noindex />
      {loaded ? (
        <>
          <InviteForm
            // Empties the form after each email.
            key={loaded.waiting.lines[0]?.id}
            courses={loaded.courses}
            values={refused?.typed ?? values}
            fieldError={refused?.fieldError ?? null}
            busy={form?.get("intent") === "invite"}
          />
          <InvitationList
            {...loaded.waiting}
            here={here}
            busyId={form ? String(form.get("id") ?? "") : null}
          />
        </>
      ) : (
        <LoadFailed message={invitationMessages.loadFailed} href={here.pathname + here.search} />
      )}
    </AdminPage>
  );
}
