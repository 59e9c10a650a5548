import { AudioLines, FileText, Video } from "lucide-react";
import { useLocation } from "react-router";
import { CourseFilter } from "~/features/courses/components/course-filter.tsx";
import { DeleteLessonDialog } from "~/features/courses/components/delete-dialog.tsx";
import type {
  findModulePlace,
  LessonDeletionPreview,
  LessonListParams,
  LessonRow,
} from "~/features/courses/lesson-list.server.ts";
import type { CourseChoice } from "~/features/courses/schema.ts";
import { AdminPage } from "~/ui/admin-page.tsx";
import { ButtonLink } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager, sortLink } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";

import { Row, Table, TableBody, TableHead, Td, Th } from "~/ui/table.tsx";
import type { UnfinishedLesson } from "../drafts.server.ts";
import { useUnsentLessonDrafts } from "./use-lesson-draft.ts";

export type ListedLessonLine = Omit<LessonRow, "updatedAt"> & { changed: string };

type Props = {
  rows: ListedLessonLine[];
  params: Pick<LessonListParams, "sort" | "direction">;
  here: { pathname: string; search: string };
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

function LessonLine({ lesson, deleteHref }: { lesson: ListedLessonLine; deleteHref: string }) {
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

type Loaded<T extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>;

type List = {
  page: { rows: ListedLessonLine[]; previous: string | null; next: string | null };
  courses: CourseChoice[];
  module: Loaded<typeof findModulePlace>;
  leaving: LessonDeletionPreview | null;
  unfinished: UnfinishedLesson[];
  userId: string;
};

type LessonsPageProps = {
  params: Omit<LessonListParams, "limit">;
  list: List | null;
  failure: string;
};

/** The third tab: every lesson with its module and course. */
export function LessonsPage({ params, list, failure }: LessonsPageProps) {
  const { pathname, search } = useLocation();
  const here = { pathname, search };
  const newHref = `/admin/lessons/new${params.moduleId ? `?module=${params.moduleId}` : ""}`;
  const place = list?.module;
  return (
    <AdminPage
      title="Lessons"
      lead={place && `${place.courseTitle}, ${place.title}`}
      actions={<ButtonLink href={newHref}>New lesson</ButtonLink>}
    >
      {list ? (
        <Lessons params={params} list={list} here={here} newHref={newHref} />
      ) : (
        <LoadFailed message={failure} href={pathname + search} />
      )}
    </AdminPage>
  );
}

type LessonsProps = {
  params: LessonsPageProps["params"];
  list: List;
  here: { pathname: string; search: string };
  newHref: string;
};

function Lessons({ params, list, here, newHref }: LessonsProps) {
  const { page, courses, module, leaving, unfinished, userId } = list;
  useUnsentLessonDrafts(userId);
  const isFiltered = Boolean(params.search || params.courseId || params.moduleId);
  const closed = listAddress(here, { delete: null });
  return (
    <>
      <UnfinishedLessons unfinished={unfinished} />
      {(isFiltered || page.rows.length > 0) && (
        <ListTools
          searchLabel="Search by title"
          search={params.search}
          otherParams={{ sort: new URLSearchParams(here.search).get("sort") }}
        >
          <CourseFilter courses={courses} chosen={params.courseId ?? module?.courseId ?? null} />
        </ListTools>
      )}
      {isFiltered && (
        <p className="list-kept">
          {module && `Only lessons of “${module.title}”. `}
          <a href={here.pathname}>Show all lessons</a>
        </p>
      )}
      {page.rows.length > 0 && <LessonTable rows={page.rows} params={params} here={here} />}
      {page.rows.length === 0 && (
        <EmptyState
          title={isFiltered || params.cursor ? "No lesson like that" : "No lessons yet"}
          picture={
            <FileText aria-hidden="true" strokeWidth={1.25} className="size-10 text-ink-soft" />
          }
          action={
            <ButtonLink href={newHref} variant={isFiltered ? "outline" : "default"}>
              Write a lesson
            </ButtonLink>
          }
        >
          {isFiltered
            ? "Try fewer words, or another course."
            : "A lesson is a text, with a video, an audio and questions for the journal if you like."}
        </EmptyState>
      )}
      <Pager
        here={here}
        previous={page.previous}
        next={page.next}
        exportPath={page.rows.length > 0 && "/admin/export/lessons"}
      />
      {leaving && <DeleteLessonDialog lesson={leaving} closeHref={closed} />}
    </>
  );
}

function UnfinishedLessons({ unfinished }: { unfinished: UnfinishedLesson[] }) {
  if (unfinished.length === 0) return null;
  return (
    <ul className="unfinished" aria-label="Unfinished">
      {unfinished.map(({ lessonId, title, isNew, when }) => (
        <li key={lessonId}>
          <span>
            Unfinished: “{title}”{isNew ? ", a new lesson" : ""}. {when}
          </span>{" "}
          <a href={isNew ? `/admin/lessons/new?id=${lessonId}` : `/admin/lessons/${lessonId}`}>
            Continue
          </a>
        </li>
      ))}
    </ul>
  );
}
