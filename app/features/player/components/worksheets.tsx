import { renderToStaticMarkup } from "react-dom/server";
import { Dot } from "~/ui/brand.tsx";
import { site } from "~content/site.ts";
import type { WorkbookChapter, Worksheet } from "../worksheets.server.ts";

type SheetProps = { course: string; worksheet: Worksheet };

/** One lesson's questions with lined room to write: a page on paper. */
export function WorksheetPage({ course, worksheet }: SheetProps) {
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
      <p className="worksheet-small">{site.name}</p>
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

type Workbook = { course: { title: string }; chapters: AsyncIterable<WorkbookChapter> };

/** The workbook's HTML, a module at a time: cover, a page for each module, its worksheets. */
export async function* workbookHtml({ course, chapters }: Workbook): AsyncGenerator<string> {
  yield renderToStaticMarkup(
    <header className="worksheet-cover">
      <Dot />
      <h1>{course.title}</h1>
      <p className="worksheet-title">Workbook</p>
      <p className="worksheet-small">
        {site.coach.name}, {site.name}
      </p>
    </header>,
  );
  let some = false;
  for await (const chapter of chapters) {
    const { worksheets, later } = chapter;
    if (worksheets.length + later.length === 0) continue;
    some = true;
    yield renderToStaticMarkup(<Chapter {...chapter} />);
    for (const worksheet of worksheets)
      yield renderToStaticMarkup(<WorksheetPage course={course.title} worksheet={worksheet} />);
  }
  if (!some) yield "<p>The lessons of this course have no questions to write to.</p>";
}

function Chapter({ id, title, worksheets, later }: WorkbookChapter) {
  return (
    <section className="worksheet-chapter" aria-labelledby={`module-${id}`}>
      <h2 id={`module-${id}`}>{title}</h2>
      <ul>
        {worksheets.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
        {later.map(({ id, title, opens }) => (
          <li key={id}>
            {title} <span className="worksheet-small">opens {opens}</span>
          </li>
        ))}
      </ul>
      {later.length > 0 && (
        <p className="worksheet-small">
          Worksheets come with their lessons. Print the workbook again when these are open.
        </p>
      )}
    </section>
  );
}
