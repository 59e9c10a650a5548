import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { Fragment } from "react";
import { jsx, jsxs } from "react/jsx-runtime";
import { UnsubscribeFooter } from "~/features/accounts/emails/unsubscribe-footer.tsx";
import type { UnsubscribeLinks } from "~/features/accounts/rules.ts";
import { HelpRemark } from "~/features/help/emails/help-remark.tsx";
import { Act, EmailLayout, SmallLink, Words } from "~/ui/email/email-layout.tsx";
import { EmailHeading, EmailRule, emailElements } from "~/ui/email/prose.tsx";
import type { EmailedCourse, EmailedLesson, LessonWords } from "../email-content.server.ts";

/** `help`: the address of the numbers where the student is. */
type Props = { greeting: string; links: UnsubscribeLinks; help: string };
type OpenedProps = Props & { courses: readonly EmailedCourse[] };

/** In the morning, when lessons have opened: which they are, or the lessons themselves. */
export function LessonsOpened({ greeting, courses, links, help }: OpenedProps) {
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
      remark={<HelpRemark href={help} />}
      foot={<UnsubscribeFooter kind="lesson-opened" links={links} />}
    >
      <Words>{greeting}</Words>
      {whole.map(({ title, link, words, files }, index) => (
        <Fragment key={link}>
          {index > 0 && <EmailRule />}
          <EmailHeading level={1}>{title}</EmailHeading>
          {words && <LessonText {...words} />}
          <Files files={files} link={link} />
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
  const [only, ...more] = lessons;
  if (only && more.length === 0)
    return (
      <>
        <Words>
          “{only.title}” is open to you now. It is a lesson of {course}.
        </Words>
        <Files files={only.files} link={only.link} />
        <Act href={only.link}>Open this lesson</Act>
      </>
    );
  return (
    <>
      <Words>In {course}, these lessons are open to you now:</Words>
      {lessons.map(({ title, link, files }) => (
        <Words key={link}>
          <SmallLink href={link}>{title}</SmallLink>
          {files > 0 && `, with ${files === 1 ? "a file" : `${files} files`} to download`}
        </Words>
      ))}
    </>
  );
}

/** The files themselves are behind the lesson: they open with it, and can change. */
function Files({ files, link }: Pick<EmailedLesson, "files" | "link">) {
  if (files === 0) return null;
  return (
    <Words>
      This lesson has {files === 1 ? "a file" : `${files} files`} to download.{" "}
      <SmallLink href={link}>{files === 1 ? "It is" : "They are"} on its page</SmallLink>.
    </Words>
  );
}

type Tree = Parameters<typeof toJsxRuntime>[0];

/** A lesson as it stands in an email: its text, what waits on the site, its questions. */
function LessonText({ tree, questions, hasVideo, hasAudio }: LessonWords) {
  const media = [hasVideo && "a video", hasAudio && "a recording"].filter(Boolean);
  return (
    <>
      {tree && toJsxRuntime(tree as Tree, { Fragment, jsx, jsxs, components: emailElements })}
      {media.length > 0 && (
        <Words>
          There is {media.join(" and ")} with this lesson. You will find{" "}
          {media.length === 1 ? "it" : "them"} on the site.
        </Words>
      )}
      {questions.length > 0 && (
        <>
          <EmailHeading level={2}>
            {questions.length === 1 ? "A question to write to" : "Questions to write to"}
          </EmailHeading>
          <emailElements.ol>
            {questions.map((question) => (
              <emailElements.li key={question}>{question}</emailElements.li>
            ))}
          </emailElements.ol>
          <Words>
            There is room for your answers under the lesson on the site, or take any paper. What you
            write there is yours. I do not see it.
          </Words>
        </>
      )}
    </>
  );
}

/** What a student meets after the module: `opens` is the day of its first lesson while that is locked. */
type Next =
  | { kind: "module"; title: string; opens: string | null }
  | { kind: "rest" }
  | { kind: "finished" };

type CompletedProps = Props & { module: string; course: string; next: Next; link: string };

/** About an hour after the last lesson of a module. */
export function ModuleCompleted(props: CompletedProps) {
  const { greeting, module, course, next, link, links, help } = props;
  return (
    <EmailLayout
      preview="A short note about it, and what comes next."
      remark={<HelpRemark href={help} />}
      foot={<UnsubscribeFooter kind="module-completed" links={links} />}
    >
      <Words>{greeting}</Words>
      <Words>
        You finished “{module}”. That is work, even if nobody sees it. So I wanted to write to you.
      </Words>
      <Words>
        Nothing has to be different now. If something in it stirred things up, leave it alone for a
        while. If one sentence stayed with you, that is plenty. What you wrote in the journal is
        yours. I do not see it.
      </Words>
      <Words>{nextWords(next, course)}</Words>
      <Act href={link}>Go to your course</Act>
    </EmailLayout>
  );
}

function nextWords(next: Next, course: string): string {
  if (next.kind === "finished")
    return `That was the end of “${course}”. All of it stays open to you. You can go back to any lesson, or leave it closed.`;
  if (next.kind === "rest")
    return `That was the last part of “${course}”. Some lessons before it are still waiting for you, if you want them.`;
  return next.opens
    ? `Next comes “${next.title}”. Its first lesson opens on ${next.opens}. Until then there is nothing to do.`
    : `Next comes “${next.title}”. It is open, whenever you want to go on.`;
}
