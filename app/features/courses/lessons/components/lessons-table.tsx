import { AudioLines, Video } from "lucide-react";
import { ButtonLink } from "~/ui/button.tsx";
import { listAddress, sortLink } from "~/ui/list-tools.tsx";
import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { LessonListParams, LessonRow } from "../../listing/queries.server.ts";

/** A row with the day of its last change in words. */
export type ListedLesson = Omit<LessonRow, "updatedAt"> & { changed: string };

type Props = {
  rows: ListedLesson[];
  params: Pick<LessonListParams, "sort" | "direction">;
  here: { pathname: string; search: string };
};

export function LessonsTable({ rows, params, here }: Props) {
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
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </TableHead>
      <TableBody>
        {rows.map((lesson) => (
          <LessonLine
            key={lesson.id}
            lesson={lesson}
            deleteHref={listAddress(here, { delete: lesson.id })}
          />
        ))}
      </TableBody>
    </Table>
  );
}

function LessonLine({ lesson, deleteHref }: { lesson: ListedLesson; deleteHref: string }) {
  const { id, title, hasVideo, hasAudio } = lesson;
  return (
    <Row>
      <Td rowHeader>
        <a href={`/admin/lessons/${id}`} className="wrap-anywhere">
          {title}
        </a>
      </Td>
      <Td label="Course">
        <span className="two-lines">
          <span>
            {lesson.courseTitle}
            {!lesson.courseActive && <span className="text-ink-soft"> (inactive)</span>}
          </span>
          <a href={`/admin/lessons?module=${lesson.moduleId}`} className="quiet-link">
            {lesson.moduleTitle}
          </a>
        </span>
      </Td>
      <Td label="Order number">{lesson.orderNum}</Td>
      <Td label="Day">{lesson.dripDay === 0 ? "At once" : `Day ${lesson.dripDay}`}</Td>
      <Td label="Media">
        <span className="media-marks">
          {hasVideo && <Video role="img" aria-label="Video" strokeWidth={1.75} />}
          {hasAudio && <AudioLines role="img" aria-label="Audio" strokeWidth={1.75} />}
          {!hasVideo && !hasAudio && <span className="text-ink-soft">None</span>}
        </span>
      </Td>
      <Td label="Changed">{lesson.changed}</Td>
      <Td align="end">
        <div className="row-actions">
          <ButtonLink
            variant="ghost"
            size="sm"
            href={`/admin/lessons/${id}`}
            aria-label={`Edit ${title}`}
          >
            Edit
          </ButtonLink>
          <ButtonLink variant="ghost" size="sm" href={deleteHref} aria-label={`Delete ${title}`}>
            Delete
          </ButtonLink>
        </div>
      </Td>
    </Row>
  );
}
