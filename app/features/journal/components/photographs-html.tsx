import { renderToStaticMarkup } from "react-dom/server";
import type { ShownPhotograph } from "../schema.ts";
import { DeletePhotograph, PhotographField, PhotographsView } from "./photographs.tsx";

type Props = {
  userId: string;
  lessonId: string;
  photographs: ShownPhotograph[];
  /** Nothing is around it whose form could send it. */
  isAlone: boolean;
};

/** The same as the page's own {@link PhotographsView} before its script is loaded: fields and buttons
 * of the form around it, or of one of its own. */
export function photographsHtml({ userId, lessonId, photographs, isAlone }: Props): string {
  const view = (
    <PhotographsView
      {...{ lessonId, photographs }}
      deletion={(photograph) => <DeletePhotograph photograph={photograph} />}
      field={<PhotographField lessonId={lessonId} />}
    />
  );
  if (!isAlone) return renderToStaticMarkup(view);
  return renderToStaticMarkup(
    <form method="post" encType="multipart/form-data">
      <input type="hidden" name="userId" value={userId} />
      <input type="hidden" name="lessonId" value={lessonId} />
      {view}
    </form>,
  );
}
