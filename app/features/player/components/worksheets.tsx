import type { Worksheet } from "../worksheets.server.ts";

/** `site` is the site's name. */
type SheetProps = { site: string; course: string; worksheet: Worksheet };

/** One lesson's questions with lined room to write: a page on paper. */
export function WorksheetPage({ site, course, worksheet }: SheetProps) {
  const { id, title, module, questions } = worksheet;
  return (
    <section className="worksheet" aria-labelledby={`worksheet-${id}`}>
      <header>
        <p className="worksheet-small">
          {course}, {module}
        </p>
        <h2 id={`worksheet-${id}`} className="worksheet-title">
          {title}
        </h2>
      </header>
      <ol className="worksheet-questions">
        {questions.map((question, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike; they never move
          <li key={at}>
            <p className="worksheet-question">
              {questions.length > 1 && `${at + 1}. `}
              {question}
            </p>
            <Lines count={Math.ceil(mostLines / questions.length) + 1} />
          </li>
        ))}
      </ol>
      <p className="worksheet-small">{site}</p>
    </section>
  );
}

/** Lines of 8 mm on the longest paper; what does not fit is cut off. */
const mostLines = 34;

// Lines of their own: a gradient's hairlines are lost in some viewers and printers.
function Lines({ count }: { count: number }) {
  return (
    <div className="worksheet-lines" aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <i key={at} />
      ))}
    </div>
  );
}
