import { FileText } from "lucide-react";
import { useLocation } from "react-router";
import { ButtonLink } from "~/ui/button.tsx";
import { DeskPage } from "~/ui/desk.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { ListTools, listAddress, Pager } from "~/ui/list-tools.tsx";
import { LoadFailed } from "~/ui/load-failed.tsx";
import { CourseFilter } from "../../components/course-filter.tsx";
import type {
  findModulePlace,
  LeavingLesson,
  LessonListParams,
} from "../../listing/queries.server.ts";
import type { CourseChoice } from "../../products/schema.ts";
import { DeleteLessonDialog } from "../../removal/components/delete-dialog.tsx";
import type { Unfinished } from "../../writing/queries.server.ts";
import { LessonsTable, type ListedLesson } from "./lessons-table.tsx";
import { useLeftBehind } from "./use-writing.ts";

type Loaded<T extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<T>>;

type List = {
  page: { rows: ListedLesson[]; previous: string | null; next: string | null };
  courses: CourseChoice[];
  module: Loaded<typeof findModulePlace>;
  leaving: LeavingLesson | null;
  unfinished: Unfinished[];
  userId: string;
};

type Props = { params: Omit<LessonListParams, "limit">; list: List | null; failure: string };

/** The third tab: every lesson with its module and course. */
export function LessonsPage({ params, list, failure }: Props) {
  const { pathname, search } = useLocation();
  const here = { pathname, search };
  const newHref = `/admin/lessons/new${params.moduleId ? `?module=${params.moduleId}` : ""}`;
  const place = list?.module;
  return (
    <DeskPage
      title="Lessons"
      lead={place && `${place.courseTitle}, ${place.title}`}
      actions={<ButtonLink href={newHref}>New lesson</ButtonLink>}
    >
      {list ? (
        <Lessons params={params} list={list} here={here} newHref={newHref} />
      ) : (
        <LoadFailed message={failure} href={pathname + search} />
      )}
    </DeskPage>
  );
}

type LessonsProps = {
  params: Props["params"];
  list: List;
  here: { pathname: string; search: string };
  newHref: string;
};

function Lessons({ params, list, here, newHref }: LessonsProps) {
  const { page, courses, module, leaving, unfinished, userId } = list;
  useLeftBehind(userId);
  const isFiltered = Boolean(params.search || params.courseId || params.moduleId);
  const closed = listAddress(here, { delete: null });
  return (
    <>
      <UnfinishedLessons unfinished={unfinished} />
      {(isFiltered || page.rows.length > 0) && (
        <ListTools
          searchLabel="Search by title"
          search={params.search}
          kept={{ sort: new URLSearchParams(here.search).get("sort") }}
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
      {page.rows.length > 0 && <LessonsTable rows={page.rows} params={params} here={here} />}
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

/** What was begun and not saved, here or on another device. */
function UnfinishedLessons({ unfinished }: { unfinished: Unfinished[] }) {
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
