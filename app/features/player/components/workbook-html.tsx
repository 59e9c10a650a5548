import { renderToStaticMarkup } from "react-dom/server";
import { Dot } from "~/ui/brand.tsx";
import type { Site } from "~content/fields.ts";
import type { WorkbookChapter } from "../worksheets.server.ts";
import { WorksheetPage } from "./worksheets.tsx";

type Workbook = { course: { title: string }; chapters: AsyncIterable<WorkbookChapter> };

/** The workbook's HTML, a module at a time: cover, a page for each module, its worksheets. */
export async function* workbookHtml(
  site: Site,
  { course, chapters }: Workbook,
): AsyncGenerator<string> {
  yield renderToStaticMarkup(
    <header className="worksheet-cover">
      <Dot />
      <h1>{course.title}</h1>
      <p className="worksheet-title">Workbook</p>
      <p className="worksheet-small">
        {site.coachName}, {site.name}
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
      yield renderToStaticMarkup(
        <WorksheetPage site={site.name} course={course.title} worksheet={worksheet} />,
      );
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
