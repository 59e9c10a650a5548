import { Fragment } from "react";
import { UnsubscribeFooter } from "~/features/accounts/emails/unsubscribe-footer.tsx";
import type { UnsubscribeLinks } from "~/features/accounts/schema.ts";
import { Act, EmailLayout, Words } from "~/ui/email/email-layout.tsx";
import { EmailHeading, EmailLink, EmailRule } from "~/ui/email/prose.tsx";
import { site } from "~content/site.ts";
import type { EmailedCourse, EmailedLesson } from "../email-content.server.ts";
import { LessonText } from "./lesson-text.tsx";

type Props = { greeting: string; courses: readonly EmailedCourse[]; links: UnsubscribeLinks };

/** In the morning, when lessons have opened: which they are, or the lessons themselves. */
export function LessonsOpened({ greeting, courses, links }: Props) {
  const lessons = courses.flatMap((course) => course.lessons);
  const whole = lessons.filter(({ words }) => words !== null);
  const named = courses.flatMap((course) => {
    const some = course.lessons.filter(({ words }) => words === null);
    return some.length > 0 ? [{ ...course, lessons: some }] : [];
  });
  const titles = courses.map(({ title }) => title).join(", ");
  return (
    <EmailLayout
      preview={`${titles}. There is no hurry: it stays open to you.`}
      signature={site.coach.firstName}
      remark="If you are in danger or think you may hurt yourself, please do not wait for an email: call your local emergency number or a crisis line now."
      foot={<UnsubscribeFooter kind="lesson-opened" links={links} />}
    >
      <Words>{greeting}</Words>
      {whole.map(({ title, link, words }, index) => (
        <Fragment key={link}>
          {index > 0 && <EmailRule />}
          <EmailHeading level={1}>{title}</EmailHeading>
          {words && <LessonText {...words} />}
          <Act href={link}>Open this lesson</Act>
        </Fragment>
      ))}
      {whole.length > 0 && named.length > 0 && <EmailRule />}
      {named.map((course) => (
        <Named key={course.title} {...course} />
      ))}
      <Words>There is no hurry. If today is not the day, it waits for you.</Words>
    </EmailLayout>
  );
}

function Named({ title: course, lessons }: EmailedCourse) {
  const [only] = lessons;
  if (lessons.length === 1 && only) return <OneNamed course={course} {...only} />;
  return (
    <>
      <Words>In {course}, these lessons are open to you now:</Words>
      {lessons.map(({ title, link }) => (
        <Words key={link}>
          <EmailLink href={link}>{title}</EmailLink>
        </Words>
      ))}
    </>
  );
}

function OneNamed({ course, title, link }: EmailedLesson & { course: string }) {
  return (
    <>
      <Words>
        “{title}” is open to you now. It is a lesson of {course}.
      </Words>
      <Act href={link}>Open this lesson</Act>
    </>
  );
}
