import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { Words } from "~/ui/email/email-layout.tsx";
import { EmailHeading, emailElements } from "~/ui/email/prose.tsx";
import type { LessonWords } from "../email-content.server.ts";

/** A lesson as it stands in an email: its text, what waits on the site, its questions. */
export function LessonText({ tree, questions, hasVideo, hasAudio }: LessonWords) {
  const media = [hasVideo && "a video", hasAudio && "a recording"].filter(Boolean);
  return (
    <>
      {tree &&
        toJsxRuntime(tree as Parameters<typeof toJsxRuntime>[0], {
          Fragment,
          jsx,
          jsxs,
          components: emailElements,
        })}
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
