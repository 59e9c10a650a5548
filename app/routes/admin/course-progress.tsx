import { data } from "react-router";
import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { CourseFigures } from "~/features/figures/components/course-figures.tsx";
import { readCourseFigures } from "~/features/figures/course-figures.server.ts";
import { courseFiguresLoadFailed } from "~/features/figures/messages.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/course-progress.ts";

export async function loader({ context, url, params }: Route.LoaderArgs) {
  requireAdmin(context, url);
  const services = servicesOf(context);
  const figures = await readCourseFigures(services, params.id).catch((error: unknown) => {
    services.log.error({ err: error }, courseFiguresLoadFailed);
    return "failed" as const;
  });
  if (!figures) throw data(null, 404);
  return { id: params.id, figures: figures === "failed" ? null : figures };
}

export default function CourseProgressPage({ loaderData }: Route.ComponentProps) {
  const { id, figures } = loaderData;
  const here = `/admin/courses/${id}`;
  return (
    <AdminPage
      title="How it goes"
      lead="Where its students are. Numbers only: no one is named, and no one is ranked."
      above={[
        { href: "/admin/courses", label: "Courses" },
        { href: here, label: figures?.title ?? "The course" },
      ]}
    >
      <PageHead title="How it goes" noindex />
      {figures ? (
        <CourseFigures figures={figures} />
      ) : (
        <LoadFailed message={courseFiguresLoadFailed} href={`${here}/progress`} />
      )}
    </AdminPage>
  );
}
