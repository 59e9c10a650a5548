import { AudioLines, Video } from "lucide";
import { RowActions } from "~/features/courses/components/course-table.tsx";
import type { LessonListParams, LessonRow } from "~/features/courses/lesson-list.server.ts";
import { Icon } from "~/ui/icon.tsx";
import { type ListAddress, sortLink } from "~/ui/list-tools.tsx";
import { PhoneWord, Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { UnfinishedLesson } from "../drafts.server.ts";
import { newestDraft } from "../messages.ts";

type ListedLessonLine = Omit<LessonRow, "updatedAt"> & { changed: string };

type Props = {
  rows: ListedLessonLine[];
  params: Pick<LessonListParams, "sort" | "direction">;
  here: ListAddress;
};

export function LessonTable({ rows, params, here }: Props) {
  const sort = (name: string, first: "asc" | "desc" = "asc") => sortLink(here, params, name, first);
  return (
    <Table caption="Lessons">
      <TableHead>
        <Th {...sort("title")}>Title</Th>
        <Th>Course and module</Th>
        <Th {...sort("order")}>Order number</Th>
        <Th>Day</Th>
        <Th>Media</Th>
        <Th {...sort("updated", "desc")}>Changed</Th>
        <Th unseen>Actions</Th>
      </TableHead>
      <TableBody>
        {rows.map((lesson) => (
          <LessonLine key={lesson.id} lesson={lesson} here={here} />
        ))}
      </TableBody>
    </Table>
  );
}

function LessonLine({ lesson, here }: { lesson: ListedLessonLine; here: ListAddress }) {
  const { id, title, hasVideo, hasAudio } = lesson;
  return (
    <Row>
      <Td rowHeader>
        <a href={`/admin/lessons/${id}`} className="wrap-anywhere">
          {title}
        </a>
      </Td>
      <Td>
        <span className="two-lines">
          <span>
            {lesson.courseTitle}
            {!lesson.courseActive && <span className="text-ink-soft"> (inactive)</span>}
            <PhoneWord>, </PhoneWord>
          </span>
          <a href={`/admin/lessons?module=${lesson.moduleId}`} className="quiet-link">
            {lesson.moduleTitle}
          </a>
        </span>
      </Td>
      <Td phone="hidden">{lesson.orderNum}</Td>
      <Td>{lesson.dripDay === 0 ? "At once" : `Day ${lesson.dripDay}`}</Td>
      <Td phone={hasVideo || hasAudio ? undefined : "hidden"}>
        <span className="media-marks">
          {hasVideo && <Icon of={Video} role="img" aria-label="Video" />}
          {hasAudio && <Icon of={AudioLines} role="img" aria-label="Audio" />}
          {!hasVideo && !hasAudio && <span className="text-ink-soft">None</span>}
        </span>
      </Td>
      <Td phone="hidden">{lesson.changed}</Td>
      <Td align="end" phone="hidden">
        <RowActions id={id} title={title} things="lessons" here={here} />
      </Td>
    </Row>
  );
}

/** The lesson's page with what was typed last in its form. */
const continueHref = (lessonId: string, isNew: boolean) =>
  isNew
    ? `/admin/lessons/new?id=${lessonId}&draft=${newestDraft}`
    : `/admin/lessons/${lessonId}?draft=${newestDraft}`;

export function UnfinishedLessons({ unfinished }: { unfinished: UnfinishedLesson[] }) {
  if (unfinished.length === 0) return null;
  return (
    <ul className="unfinished" aria-label="Unfinished">
      {unfinished.map(({ lessonId, title, isNew, when, module }) => (
        <li key={lessonId}>
          <span>
            Unfinished: “{title}”{isNew ? ", a new lesson" : ""}
            {module && ` in “${module.title}”`}. {when}
          </span>{" "}
          <a href={continueHref(lessonId, isNew)} aria-label={`Continue: ${when}, “${title}”`}>
            Continue
          </a>
        </li>
      ))}
    </ul>
  );
}
