import { ArrowDown, ArrowUp, AudioLines, Eye, Video } from "lucide";
import { type FormEvent, type ReactNode, use } from "react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Icon } from "~/ui/icon.tsx";
import { Select } from "~/ui/select.tsx";
import type { OutlineLesson, OutlineModule } from "../ordering.server.ts";
import type { OutlineChange } from "../rules.ts";
import { type ChangeOrder, ShellContext } from "./sortable.tsx";

type ModuleProps = {
  module: OutlineModule;
  index: number;
  modules: OutlineModule[];
  slug: string;
  onChange: ChangeOrder;
};

export function ModuleEntry({ module, index, modules, slug, onChange }: ModuleProps) {
  const Shell = use(ShellContext);
  const { id, title, lessons } = module;
  return (
    <Shell
      type="module"
      id={id}
      moduleId={id}
      title={title}
      items={lessons.map((lesson) => lesson.id)}
      className="outline-module"
    >
      {(handle) => (
        <>
          <div className="outline-row">
            {handle}
            <h3 className="outline-title">
              <a href={`/admin/modules/${id}`}>{title}</a>
            </h3>
            <div className="outline-actions">
              <Steps
                what="module"
                {...{ id, title, onChange }}
                isFirst={index === 0}
                isLast={index === modules.length - 1}
              />
              <ButtonLink
                variant="ghost"
                size="sm"
                href={`/admin/lessons/new?module=${id}`}
                aria-label={`Add lesson to ${title}`}
              >
                Add lesson
              </ButtonLink>
            </div>
          </div>
          {lessons.length === 0 ? (
            <p className="outline-empty">No lessons yet.</p>
          ) : (
            <ol className="outline-lessons">
              {lessons.map((lesson, place) => (
                <LessonEntry
                  key={lesson.id}
                  moduleId={id}
                  {...{ lesson, modules, slug, onChange }}
                  isFirst={index === 0 && place === 0}
                  isLast={index === modules.length - 1 && place === lessons.length - 1}
                />
              ))}
            </ol>
          )}
        </>
      )}
    </Shell>
  );
}

type LessonProps = Pick<ModuleProps, "modules" | "slug" | "onChange"> & {
  lesson: OutlineLesson;
  moduleId: string;
  isFirst: boolean;
  isLast: boolean;
};

function LessonEntry({ lesson, moduleId, modules, slug, onChange, ...ends }: LessonProps) {
  const Shell = use(ShellContext);
  const { id, title, dripDay, hasVideo, hasAudio } = lesson;
  const key = encodeURIComponent(`${lesson.slug}~${id}`);
  return (
    <Shell type="lesson" id={id} moduleId={moduleId} title={title} className="outline-lesson">
      {(handle) => (
        <div className="outline-row">
          {handle}
          <div className="outline-title">
            <a href={`/admin/lessons/${id}`}>{title}</a>
            <span className="outline-marks">
              {dripDay > 0 && <span>Day {dripDay}</span>}
              {hasVideo && <Mark icon={<Icon of={Video} />} label="Video" />}
              {hasAudio && <Mark icon={<Icon of={AudioLines} />} label="Audio" />}
            </span>
          </div>
          <div className="outline-actions">
            <Steps what="lesson" {...{ id, title, onChange }} {...ends} />
            {modules.length > 1 && <MoveTo {...{ id, title, moduleId, modules, onChange }} />}
            <ButtonLink
              variant="ghost"
              size="icon"
              href={`/courses/${slug}/learn?view=student&lesson=${key}`}
              aria-label={`View ${title} as a student`}
            >
              <Icon of={Eye} />
            </ButtonLink>
          </div>
        </div>
      )}
    </Shell>
  );
}

function Mark({ icon, label }: { icon: ReactNode; label: string }) {
  return (
    <span className="outline-mark" title={label}>
      {icon}
      <span className="sr-only">{label}</span>
    </span>
  );
}

type StepsProps = {
  what: "lesson" | "module";
  id: string;
  title: string;
  isFirst: boolean;
  isLast: boolean;
  onChange: ChangeOrder;
};

/** Form buttons, so that they work without scripts. */
function Steps({ what, id, title, isFirst, isLast, onChange }: StepsProps) {
  return (
    <form method="post" className="outline-steps" onSubmit={(event) => send(event, onChange)}>
      <input type="hidden" name="intent" value={`step-${what}`} />
      <input type="hidden" name={`${what}Id`} value={id} />
      {(["up", "down"] as const).map((direction) => {
        const Arrow = direction === "up" ? ArrowUp : ArrowDown;
        return (
          <Button
            key={direction}
            type="submit"
            name="direction"
            value={direction}
            variant="ghost"
            size="icon"
            aria-label={`Move ${title} ${direction}`}
            aria-disabled={(direction === "up" ? isFirst : isLast) || undefined}
          >
            <Icon of={Arrow} />
          </Button>
        );
      })}
    </form>
  );
}

type MoveToProps = { id: string; title: string } & Pick<
  LessonProps,
  "moduleId" | "modules" | "onChange"
>;

/** Moves a lesson behind the last lesson of another module. */
function MoveTo({ id, title, moduleId, modules, onChange }: MoveToProps) {
  return (
    <details className="outline-move" name="move">
      <summary aria-label={`Move ${title} to another module`}>Move to…</summary>
      <form
        method="post"
        onSubmit={(event) => {
          event.currentTarget.closest("details")?.removeAttribute("open");
          send(event, onChange);
        }}
      >
        <input type="hidden" name="intent" value="move-lesson" />
        <input type="hidden" name="lessonId" value={id} />
        <Select dense name="moduleId" aria-label="Module">
          {modules
            .filter((module) => module.id !== moduleId)
            .map((module) => (
              <option key={module.id} value={module.id}>
                {module.title}
              </option>
            ))}
        </Select>
        <Button type="submit" variant="outline" size="sm">
          Move
        </Button>
      </form>
    </details>
  );
}

function send(event: FormEvent<HTMLFormElement>, onChange: ChangeOrder) {
  event.preventDefault();
  const { submitter } = event.nativeEvent as SubmitEvent;
  const fields = new FormData(event.currentTarget, submitter);
  onChange({ beforeId: "", ...Object.fromEntries(fields) } as unknown as OutlineChange);
}
