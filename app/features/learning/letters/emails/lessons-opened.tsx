import { Fragment } from "react";
import { FewerLetters } from "~/features/accounts/letters/emails/fewer-letters.tsx";
import type { LetterLinks } from "~/features/accounts/letters/schema.ts";
import { Act, Letter, Words } from "~/ui/mail/letter.tsx";
import { MailHeading, MailLink, MailRule } from "~/ui/mail/prose.tsx";
import { site } from "~content/site.ts";
import type { ToldCourse, ToldLesson } from "../queries.server.ts";
import { LessonText } from "./lesson-text.tsx";

type Props = { greeting: string; courses: readonly ToldCourse[]; links: LetterLinks };

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
    <Letter
      preview={`${titles}. There is no hurry: it stays open to you.`}
      signature={site.coach.firstName}
      remark="If you are in danger or think you may hurt yourself, please do not wait for a letter: call your local emergency number or a crisis line now."
      foot={<FewerLetters kind="lesson-opened" links={links} />}
    >
      <Words>{greeting}</Words>
      {whole.map(({ title, link, words }, index) => (
        <Fragment key={link}>
          {index > 0 && <MailRule />}
          <MailHeading level={1}>{title}</MailHeading>
          {words && <LessonText {...words} />}
          <Act href={link}>Open this lesson</Act>
        </Fragment>
      ))}
      {whole.length > 0 && named.length > 0 && <MailRule />}
      {named.map((course) => (
        <Named key={course.title} {...course} />
      ))}
      <Words>There is no hurry. If today is not the day, it waits for you.</Words>
    </Letter>
  );
}

/** The lessons of a course that are read on the site. */
function Named({ title: course, lessons }: ToldCourse) {
  const [only] = lessons;
  if (lessons.length === 1 && only) return <OneNamed course={course} {...only} />;
  return (
    <>
      <Words>In {course}, these lessons are open to you now:</Words>
      {lessons.map(({ title, link }) => (
        <Words key={link}>
          <MailLink href={link}>{title}</MailLink>
        </Words>
      ))}
    </>
  );
}

function OneNamed({ course, title, link }: ToldLesson & { course: string }) {
  return (
    <>
      <Words>
        “{title}” is open to you now. It is a lesson of {course}.
      </Words>
      <Act href={link}>Open this lesson</Act>
    </>
  );
}
