import { data, Form } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { listCourseFilters } from "~/features/courses/courses.server.ts";
import { parsePrice } from "~/features/courses/rules.ts";
import { ReleaseChanges } from "~/features/releases/components/release-changes.tsx";
import { CourseChangeForm, WhenForms } from "~/features/releases/components/release-forms.tsx";
import { releaseMessages, releaseStateWords } from "~/features/releases/messages.ts";
import {
  publishRelease,
  scheduleRelease,
  undoRelease,
  unscheduleRelease,
} from "~/features/releases/publish-release.server.ts";
import {
  addCourse,
  deleteRelease,
  describeChanges,
  getRelease,
  listChanges,
  removeChange,
} from "~/features/releases/releases.server.ts";
import { servicesOf, typedZone } from "~/platform/http/context.ts";
import { failure, redirectWithToast, type Toast } from "~/platform/http/flash.ts";
import { formFields } from "~/platform/http/form.ts";
import type { Services } from "~/platform/http/services.ts";
import { dateAndTime } from "~/platform/time/words.ts";
import { Refused } from "~/platform/utils/errors.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/release-edit.ts";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const { db } = services;
  const release = await getRelease(db.write, params.id).catch((error: unknown) => {
    throw error instanceof Refused ? data(null, 404) : error;
  });
  const zone = typedZone(context);
  const { id, title, state, problem, dueAt, publishedAt } = release;
  const [changes, courses] = await Promise.all([
    listChanges(db.write, id).then((all) => describeChanges(services, all)),
    listCourseFilters(services),
  ]);
  const when = dueAt ?? publishedAt;
  return {
    ...{ id, title, state, problem, zone, changes, courses },
    when: when && dateAndTime(when, zone),
  };
}

type Fields = Record<string, string | undefined>;

async function perform(
  services: Services,
  id: string,
  fields: Fields,
  zone: string,
): Promise<Toast> {
  switch (fields.intent) {
    case "publish":
      await publishRelease(services, id);
      return releaseMessages.published;
    case "schedule":
      await scheduleRelease(services, { id, at: fields.at ?? "", timeZone: zone });
      return releaseMessages.scheduled;
    case "unschedule":
      await unscheduleRelease(services, id);
      return releaseMessages.unscheduled;
    case "undo":
      await undoRelease(services, id);
      return releaseMessages.undone;
    case "remove":
      await removeChange(services, { id, subject: fields.subject ?? "" });
      return releaseMessages.removed;
    case "course":
      await addCourse(services, id, courseChange(fields));
      return releaseMessages.added;
    default:
      throw data(null, 400);
  }
}

/** @throws {Refused} invalid for an unclear price */
function courseChange({ courseId = "", price = "", active, comingSoon }: Fields) {
  const yesNo = (typed: string | undefined) =>
    typed === "yes" ? true : typed === "no" ? false : undefined;
  const parsed = price.trim() === "" ? null : parsePrice(price);
  if (parsed && "problem" in parsed) throw new Refused("invalid", parsed.problem);
  const after = {
    ...(parsed && { priceCents: parsed.cents }),
    ...(yesNo(active) !== undefined && { active: yesNo(active) as boolean }),
    ...(yesNo(comingSoon) !== undefined && { comingSoon: yesNo(comingSoon) as boolean }),
  };
  return { courseId, after };
}

export async function action({ request, context, params, url }: Route.ActionArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const fields = await formFields(request);
  const here = `/admin/releases/${params.id}`;
  try {
    if (fields.intent === "delete") {
      await deleteRelease(services, params.id);
      return redirectWithToast("/admin/releases", releaseMessages.deleted);
    }
    return redirectWithToast(here, await perform(services, params.id, fields, typedZone(context)));
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") throw data(null, 404);
    return redirectWithToast(here, failure(services, error, releaseMessages.failed).toast);
  }
}

export default function ReleaseEdit({ loaderData }: Route.ComponentProps) {
  const { title, state, problem, when, zone, changes, courses } = loaderData;
  const isOpen = state !== "published" && state !== "undone";
  return (
    <AdminPage
      title={title}
      lead={[releaseStateWords[state], when].filter(Boolean).join(", ")}
      above={[
        { href: "/admin/pages", label: "Pages" },
        { href: "/admin/releases", label: "Releases" },
      ]}
    >
      <PageHead title={`${title} - Release`} noindex />
      {problem && <Notice tone="destructive">{problem}</Notice>}
      <ReleaseChanges changes={changes} isOpen={isOpen} />
      {changes.length === 0 && <p>{releaseMessages.empty}</p>}
      {isOpen && (
        <>
          {changes.length > 0 && <WhenForms zone={zone} isScheduled={state === "scheduled"} />}
          <section className="page-list">
            <h2>Add a change</h2>
            <p>
              Drafts of a page are added where you look at them before publishing. A change of a
              course is added here.
            </p>
            <CourseChangeForm courses={courses} />
          </section>
        </>
      )}
      <Form method="post" className="release-when">
        {state === "published" && (
          <Button type="submit" name="intent" value="undo" variant="outline">
            Take it all back
          </Button>
        )}
        <Button type="submit" name="intent" value="delete" variant="ghost">
          Delete this release
        </Button>
      </Form>
    </AdminPage>
  );
}
