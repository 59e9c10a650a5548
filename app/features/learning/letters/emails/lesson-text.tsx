import { toJsxRuntime } from "hast-util-to-jsx-runtime";
import { Fragment, jsx, jsxs } from "react/jsx-runtime";
import { Words } from "~/ui/mail/letter.tsx";
import { MailHeading, mailElements } from "~/ui/mail/prose.tsx";
import type { LessonWords } from "../queries.server.ts";

/** A lesson as it stands in a letter: its text, what waits on the site, its questions. */
export function LessonText({ tree, questions, hasVideo, hasAudio }: LessonWords) {
  const media = [hasVideo && "a video", hasAudio && "a recording"].filter(Boolean);
  return (
    <>
      {tree &&
        toJsxRuntime(tree as Parameters<typeof toJsxRuntime>[0], {
          Fragment,
          jsx,
          jsxs,
          components: mailElements,
        })}
      {media.length > 0 && (
        <Words>
          There is {media.join(" and ")} with this lesson. You will find{" "}
          {media.length === 1 ? "it" : "them"} on the site.
        </Words>
      )}
      {questions.length > 0 && (
        <>
          <MailHeading level={2}>
            {questions.length === 1 ? "A question to write to" : "Questions to write to"}
          </MailHeading>
          <mailElements.ol>
            {questions.map((question) => (
              <mailElements.li key={question}>{question}</mailElements.li>
            ))}
          </mailElements.ol>
          <Words>
            There is room for your answers under the lesson on the site, or take any paper. What you
            write there is yours. I do not see it.
          </Words>
        </>
      )}
    </>
  );
}
