import { type RefObject, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Notice } from "~/ui/notice.tsx";
import { differences, lineDifferences } from "../differences.ts";
import type { LessonConflict } from "../editor.server.ts";
import type { LessonCourseChoice } from "../lessons.server.ts";
import { type FieldName, type Fields, fieldLabels, formMessages } from "../messages.ts";
import { fillIn, readFields } from "./use-lesson-draft.ts";

type Props = {
  /** What was submitted. The form holds it too, with what was typed since. */
  mine: Fields;
  other: LessonConflict;
  form: RefObject<HTMLFormElement | null>;
  courses: LessonCourseChoice[];
  href: string;
};

type Choice = "mine" | "theirs";

/** Shows each field that differs from a lesson changed elsewhere; the other value can be taken. */
export function LessonConflictNotice({ mine, other, form, courses, href }: Props) {
  const names = differences(mine, other.fields);
  const [choices, setChoices] = useState<Partial<Record<FieldName, Choice>>>({});
  const [replaced, setReplaced] = useState<Partial<Fields>>({});

  function choose(name: FieldName, choice: Choice) {
    if (choices[name] === choice) return;
    if (choice === "theirs") {
      setReplaced((now) => ({ ...now, [name]: readFields(form.current)[name] }));
      fillIn(form.current, name, other.fields[name]);
    } else if (choices[name] === "theirs") fillIn(form.current, name, replaced[name] ?? mine[name]);
    setChoices((now) => ({ ...now, [name]: choice }));
  }

  return (
    <section aria-labelledby="versions-title" className="versions">
      <Notice tone="warning" live>
        <h2 id="versions-title" className="versions-title">
          Changed elsewhere
        </h2>
        <p>{formMessages.conflict}</p>
        <p className="text-sm text-ink-soft">
          The other version was saved on {other.when}. Your words are in the form below. Choose
          field by field or all at once, then save.
        </p>
        <div className="versions-all">
          {(["mine", "theirs"] as const).map((choice) => (
            <Button
              key={choice}
              variant="outline"
              size="sm"
              onClick={() => {
                for (const name of names) choose(name, choice);
              }}
            >
              {choice === "mine" ? "Keep all of mine" : "Take all of theirs"}
            </Button>
          ))}
          <noscript>
            <a href={href}>Open their version instead</a>
          </noscript>
        </div>
      </Notice>
      {names.map((name) => (
        <article key={name} className="version" aria-labelledby={`version-${name}`}>
          <div className="version-head">
            <h3 id={`version-${name}`}>{fieldLabels[name]}</h3>
            {(["mine", "theirs"] as const).map((choice) => (
              <Button
                key={choice}
                variant={choices[name] === choice ? "secondary" : "ghost"}
                size="sm"
                aria-pressed={choices[name] === choice}
                aria-label={`${choice === "mine" ? "Keep mine" : "Take theirs"}: ${fieldLabels[name]}`}
                onClick={() => choose(name, choice)}
              >
                {choice === "mine" ? "Keep mine" : "Take theirs"}
              </Button>
            ))}
          </div>
          <Difference
            mine={shown(name, mine[name], courses)}
            theirs={shown(name, other.fields[name], courses)}
          />
        </article>
      ))}
    </section>
  );
}

function shown(name: FieldName, value: string, courses: LessonCourseChoice[]): string {
  if (name !== "moduleId") return value;
  for (const course of courses)
    for (const module of course.modules)
      if (module.id === value) return `${course.title}: ${module.title}`;
  return "A module that was deleted";
}

/** Marks and names lines of only one version; shortens long stretches without a difference. */
function Difference({ mine, theirs }: { mine: string; theirs: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: no fields to be set together
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <div role="group" className="version-lines" dir="auto" tabIndex={0} aria-label="Both versions">
      {lineDifferences(mine, theirs).map(({ kind, text }, index) => {
        const key = `${index}-${kind}`;
        if (kind === "same") return <p key={key}>{shortened(text)}</p>;
        const Mark = kind === "theirs" ? "ins" : "del";
        return (
          <Mark key={key}>
            <span className="version-whose">{kind === "theirs" ? "Theirs" : "Yours"}</span>
            {text.trim() === "" ? <em>(empty)</em> : text}
          </Mark>
        );
      })}
    </div>
  );
}

const edge = 200;

function shortened(text: string): string {
  return text.length <= 3 * edge ? text : `${text.slice(0, edge)}\n…\n${text.slice(-edge)}`;
}
