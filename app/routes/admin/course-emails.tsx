import { useState } from "react";
import { data, useLocation, useNavigation } from "react-router";
import { formErrorResponse } from "~/features/accounts/settings.server.ts";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { firstFieldError } from "~/features/auth/rules.ts";
import {
  CourseEmailForm,
  CourseEmailPreview,
  SentEmail,
} from "~/features/course-emails/components/course-email-form.tsx";
import { CourseEmailList } from "~/features/course-emails/components/course-email-list.tsx";
import {
  findCourseEmail,
  listCourseEmails,
  previewCourseEmail,
  resumeCourseEmail,
  sendCourseEmail,
  stopCourseEmail,
} from "~/features/course-emails/course-emails.server.ts";
import {
  courseEmailMessages,
  courseEmailsPath,
  sentToast,
} from "~/features/course-emails/messages.ts";
import { courseEmailFields } from "~/features/course-emails/schema.ts";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import { orUnreachable } from "~/platform/http/client-action.ts";
import { servicesOf, timeZoneContext } from "~/platform/http/context.ts";
import { failure, reasonToShow, redirectWithToast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import { readListParams } from "~/platform/http/list-params.ts";
import { wasUnreachable } from "~/platform/http/unreachable.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/course-emails.ts";

const rowsAPage = 20;

/** `?course=` chooses the course, `?email=` shows a sent email. */
export async function loader({ context, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { cursor } = readListParams(url, { newest: "desc" });
  const productId = url.searchParams.get("course") ?? "";
  const emailId = url.searchParams.get("email");
  const timeZone = context.get(timeZoneContext);
  try {
    const [{ rows: lines, previous, next }, courses, sent] = await Promise.all([
      listCourseEmails(services, { cursor, limit: rowsAPage }, timeZone),
      listCourseFilters(services),
      emailId ? findCourseEmail(services, emailId, timeZone) : null,
    ]);
    const toFiles = !services.config.smtpUrl;
    return { productId, loaded: { courses, sent, list: { lines, previous, next, toFiles } } };
  } catch (error) {
    services.log.error({ err: error }, courseEmailMessages.loadFailed);
    return { productId, loaded: null };
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const admin = requireAdmin(context, url);
  const services = servicesOf(context);
  const { intent, id = "", productId = "", subject = "", text = "" } = await formFields(request);
  if (intent === "stop" || intent === "resume") {
    const { stopped, stopFailed, resumed, resumeFailed } = courseEmailMessages;
    const isStop = intent === "stop";
    const toast = await (isStop ? stopCourseEmail : resumeCourseEmail)(services, id).then(
      () => (isStop ? stopped : resumed),
      (error: unknown) => failure(services, error, isStop ? stopFailed : resumeFailed).toast,
    );
    return redirectWithToast(courseEmailsPath, toast);
  }
  const typed = { productId, subject, text };
  const refuse = (fieldError: { field: string; message: string }) =>
    formErrorResponse({ request, context }, fieldError, typed, "Error");
  if (intent === "edit") return data({ typed, fieldError: null });
  const parsed = courseEmailFields.safeParse(typed);
  if (!parsed.success) return refuse(firstFieldError(parsed) ?? { field: "", message: "" });
  try {
    if (intent !== "send")
      return data({ typed, preview: await previewCourseEmail(services, parsed.data, admin.name) });
    const sent = await sendCourseEmail(services, { id, ...parsed.data });
    return redirectWithToast(
      courseEmailsPath,
      sent ? sentToast(sent) : courseEmailMessages.already,
    );
  } catch (error) {
    return refuse({
      field: "",
      message: reasonToShow(services, error, courseEmailMessages.failed),
    });
  }
}

export const clientAction = (args: Route.ClientActionArgs) => orUnreachable(args);
export { unlessUnreachable as shouldRevalidate } from "~/platform/http/unreachable.ts";

/** A preview has what was typed: it stays when a form did not reach the site. */
function useLastAnswer<T>(actionData: T): T {
  const [last, keep] = useState(actionData);
  if (wasUnreachable(actionData)) return last;
  if (actionData !== last) keep(actionData);
  return actionData;
}

export default function CourseEmailsPage({ loaderData, actionData }: Route.ComponentProps) {
  const { productId, loaded } = loaderData;
  const last = useLastAnswer(actionData);
  const answer = last && "typed" in last ? last : null;
  const values = answer?.typed ?? { productId, subject: "", text: "" };
  const here = useLocation();
  const form = useNavigation().formData;
  const busyIntent = (form?.get("intent") as string | null) ?? null;
  return (
    <AdminPage
      title="Email the students"
      lead="One email from you to everybody who is enrolled in a course."
      above={[{ href: "/admin/mail", label: "Email" }]}
    >
      <PageHead title="Email the students" noindex />
      {answer && "preview" in answer ? (
        <CourseEmailPreview preview={answer.preview} values={values} busyIntent={busyIntent} />
      ) : (
        <>
          {!answer && loaded?.sent ? (
            <SentEmail email={loaded.sent} />
          ) : (
            (loaded || answer) && (
              <CourseEmailForm
                courses={loaded?.courses ?? []}
                values={values}
                fieldError={(answer && "fieldError" in answer && answer.fieldError) || null}
                busy={busyIntent === "preview"}
              />
            )
          )}
          {loaded ? (
            <CourseEmailList
              {...loaded.list}
              here={here}
              busyId={form ? String(form.get("id") ?? "") : null}
            />
          ) : (
            <LoadFailed
              message={courseEmailMessages.loadFailed}
              href={here.pathname + here.search}
            />
          )}
        </>
      )}
    </AdminPage>
  );
}
