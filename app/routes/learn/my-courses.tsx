import { Form, redirect } from "react-router";
import { accountPath } from "~/features/auth/messages.ts";
import { authPath } from "~/features/auth/rules.ts";
import { listMyCourses, type MyCourse } from "~/features/player/player.server.ts";
import { currentUser, servicesOf } from "~/platform/http/context.ts";
import { paragraphsOf } from "~/platform/utils/paragraphs.ts";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Cover } from "~/ui/cover.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import emptyPath from "~/ui/illustrations/empty-path.svg?raw";
import { Illustration } from "~/ui/illustrations/illustration.tsx";
import { Page, Section } from "~/ui/page.tsx";
import { Paragraphs } from "~/ui/paragraphs.tsx";
import { Progress } from "~/ui/progress.tsx";
import { PageHead } from "../page-head.tsx";
import type { Route } from "./+types/my-courses.ts";

export async function loader({ context }: Route.LoaderArgs) {
  const viewer = currentUser(context);
  if (!viewer) throw redirect(authPath("/my-courses"));
  const courses = await listMyCourses(servicesOf(context), viewer.id);
  return { courses, isAdmin: viewer.role === "admin" };
}

export default function MyCourses({ loaderData }: Route.ComponentProps) {
  const { courses, isAdmin } = loaderData;
  return (
    <Page>
      <PageHead title="My Courses" noindex />
      <Section labelledBy="my-courses-title">
        <div className="flex flex-wrap items-baseline justify-between gap-4">
          <h1 id="my-courses-title" className="text-4xl">
            My Courses
          </h1>
          <div className="-mx-3.5 flex flex-wrap">
            <ButtonLink href="/my-courses/journal" variant="ghost" size="sm">
              My journal
            </ButtonLink>
            {isAdmin && (
              <ButtonLink href="/admin" variant="ghost" size="sm">
                Admin
              </ButtonLink>
            )}
            <ButtonLink href={accountPath} variant="ghost" size="sm">
              Account
            </ButtonLink>
            <Form method="post" action="/auth/sign-out" reloadDocument>
              <Button type="submit" variant="ghost" size="sm">
                Sign out
              </Button>
            </Form>
          </div>
        </div>
        {courses.length === 0 ? (
          <EmptyState
            title="You haven't enrolled in any courses yet"
            picture={<Illustration drawing={emptyPath} />}
            action={<ButtonLink href="/courses">Browse Courses</ButtonLink>}
          />
        ) : (
          <ul className="mt-10 grid gap-6 md:grid-cols-2">
            {courses.map((course) => (
              <MyCourseCard key={course.id} course={course} />
            ))}
          </ul>
        )}
      </Section>
    </Page>
  );
}

function MyCourseCard({ course }: { course: MyCourse }) {
  const verb = course.percent > 0 ? "Continue Learning" : "Start Course";
  return (
    <li className="card">
      {course.cover && (
        <Cover picture={course.cover} sizes="(min-width: 48rem) 30rem, 88vw" className="mb-6" />
      )}
      <h2 className="text-2xl">{course.title}</h2>
      <Paragraphs of={paragraphsOf(course.description)} className="mt-3 text-ink-soft" />
      <div className="mt-auto pt-8">
        <Progress value={course.percent} label={`${course.percent}% Complete`} />
        <p className="mt-6">
          <ButtonLink href={`/courses/${course.slug}/learn`}>
            {verb}
            <span className="sr-only">: {course.title}</span>
          </ButtonLink>
        </p>
      </div>
    </li>
  );
}
