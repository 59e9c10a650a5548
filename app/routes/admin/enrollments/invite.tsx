import { data, useLocation, useNavigation } from "react-router";
import { adminOf } from "~/features/accounts/admin/queries.server.ts";
import { firstComplaint } from "~/features/accounts/rules.ts";
import { listCourseChoices } from "~/features/courses/products/queries.server.ts";
import { invite, sendAgain, withdraw } from "~/features/enrollments/invitations/commands.server.ts";
import { InviteForm } from "~/features/enrollments/invitations/components/invite-form.tsx";
import { WaitingList } from "~/features/enrollments/invitations/components/waiting-list.tsx";
import { listWaiting } from "~/features/enrollments/invitations/queries.server.ts";
import { invitedToast } from "~/features/enrollments/invitations/rules.ts";
import { invitationFields } from "~/features/enrollments/invitations/schema.ts";
import { messages } from "~/features/enrollments/invitations/texts.ts";
import { PageHead } from "~/page-head.tsx";
import { orUnreachable, unlessUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { reasonToShow } from "~/platform/http/errors.ts";
import { flash, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { shortDate } from "~/platform/time/words.ts";
import { DeskPage } from "~/ui/desk.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import type { Route } from "./+types/invite.ts";

const rowsAPage = 50;

/** `?course=` and `?email=` fill the form in advance. */
export async function loader({ context, url }: Route.LoaderArgs) {
  adminOf(context, url);
  const services = servicesOf(context);
  const { cursor } = readListParams(url, { created: "desc" });
  const day = (date: Date) => shortDate(date, context.get(timeZoneContext));
  const asked = (name: string) => url.searchParams.get(name) ?? "";
  const values = { productId: asked("course"), email: asked("email"), name: "" };
  try {
    const [{ rows, previous, next }, courses] = await Promise.all([
      listWaiting(services, { cursor, limit: rowsAPage }),
      listCourseChoices(services),
    ]);
    const lines = rows.map(({ sentAt, expiresAt, ...row }) => ({
      ...row,
      sent: day(sentAt),
      until: day(expiresAt),
    }));
    return { values, loaded: { waiting: { lines, previous, next }, courses } };
  } catch (error) {
    services.log.error({ err: error }, messages.loadFailed);
    return { values, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const admin = adminOf(context, url);
  const services = servicesOf(context);
  const { intent, id = "", ...fields } = await formFields(request);
  const { productId = "", email = "", name = "" } = fields;
  const refuse = (complaint: { field: string; message: string }) => {
    const toast = { title: "Error", description: complaint.message, tone: "destructive" } as const;
    const body = { values: { productId, email, name }, complaint };
    return data(body, { status: 400, headers: flash(request, context, toast) });
  };
  try {
    if (intent === "again") {
      await sendAgain(services, { id, sentBy: admin.id });
      return redirectWithToast(url.pathname + url.search, messages.sentAgain);
    }
    if (intent === "withdraw") {
      await withdraw(services, id);
      return redirectWithToast(url.pathname + url.search, messages.withdrawn);
    }
    const parsed = invitationFields.safeParse(fields);
    if (!parsed.success) return refuse(firstComplaint(parsed) ?? { field: "", message: "" });
    const enrolled = await invite(services, { ...parsed.data, invitedBy: admin.id });
    const since = enrolled && shortDate(enrolled.createdAt, context.get(timeZoneContext));
    return redirectWithToast(
      enrolled ? `/admin/enrollments/${enrolled.id}` : url.pathname,
      invitedToast(parsed.data.email, enrolled, since ?? ""),
    );
  } catch (error) {
    return refuse({ field: "", message: reasonToShow(services, error, messages.failed) });
  }
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  orUnreachable(serverAction);
export const shouldRevalidate = unlessUnreachable;

export default function InvitePage({ loaderData, actionData }: Route.ComponentProps) {
  const { values, loaded } = loaderData;
  const refused = actionData && "values" in actionData ? actionData : null;
  const here = useLocation();
  const form = useNavigation().formData;
  return (
    <DeskPage
      title="Invite by email"
      lead="For somebody who has no account yet: it is made when the letter’s link is opened."
      back={{ href: "/admin/enrollments", label: "Enrollments" }}
    >
      <PageHead title="Invite by email" noindex />
      {loaded ? (
        <>
          <InviteForm
            // An empty form after each letter.
            key={loaded.waiting.lines[0]?.id}
            courses={loaded.courses}
            values={refused?.values ?? values}
            complaint={refused?.complaint ?? null}
            busy={form?.get("intent") === "invite"}
          />
          <WaitingList
            {...loaded.waiting}
            here={here}
            busyId={form ? String(form.get("id") ?? "") : null}
          />
        </>
      ) : (
        <LoadFailed message={messages.loadFailed} href={here.pathname + here.search} />
      )}
    </DeskPage>
  );
}
