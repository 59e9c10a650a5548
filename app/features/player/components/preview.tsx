import { useSearchParams } from "react-router";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { JournalBox } from "~/ui/inputs.tsx";
import { Select } from "~/ui/select.tsx";
import { playerMessages } from "../messages.ts";
import type { OpenLesson, Player } from "../player.server.ts";

type BannerProps = { courseId: string; day: number | null; modules: Player["modules"] };

/** Above everything in an administrator's preview: what this is, the day, and the link back. */
export function PreviewBanner({ courseId, day, modules }: BannerProps) {
  return (
    <aside aria-label="Preview" className="on-deep">
      <div className="page max-w-none flex min-h-11 flex-wrap items-center gap-x-6 gap-y-2 py-2 text-sm">
        <p>{playerMessages.preview}</p>
        <PreviewDay day={day} modules={modules} />
        <a
          href={`/admin/courses/${courseId}`}
          className="ms-auto inline-flex min-h-11 items-center text-inherit underline underline-offset-4"
        >
          Back to the course
        </a>
      </div>
    </aside>
  );
}

/** Chooses the day of the course that the preview shows, where lessons open over days. */
function PreviewDay({ day, modules }: Omit<BannerProps, "courseId">) {
  const [search] = useSearchParams();
  const dripDays = modules.flatMap(({ lessons }) => lessons.map((lesson) => lesson.day));
  if (dripDays.every((dripDay) => dripDay === 0)) return null;
  const days = [...new Set([0, ...dripDays, ...(day === null ? [] : [day])])];
  return (
    <form method="get" className="flex flex-wrap items-center gap-2">
      {["view", "lesson"].map((name) => {
        const value = search.get(name);
        return value !== null && <input key={name} type="hidden" name={name} value={value} />;
      })}
      <Select name="day" defaultValue={day ?? ""} aria-label="Which lessons are open" dense>
        <option value="">Every lesson open</option>
        {days
          .toSorted((one, other) => one - other)
          .map((one) => (
            <option key={one} value={one}>
              {one === 0 ? "As on day 0, just enrolled" : `As on day ${one}`}
            </option>
          ))}
      </Select>
      <Button type="submit" variant="outline" size="sm" className="border-current text-inherit">
        Show
      </Button>
    </form>
  );
}

/** The journal of a previewed lesson: visible, but not usable. */
export function PreviewPrompts({ prompts }: Pick<OpenLesson, "prompts">) {
  if (prompts.length === 0) return null;
  return (
    <section aria-labelledby="prompts-title" className="mt-12 grid gap-6 border-t border-line pt-8">
      <h2 id="prompts-title" className="text-2xl">
        Journal Prompts for Reflection
      </h2>
      {prompts.map(({ question, placeholder }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two questions may be alike; they never move
        <Field key={index} label={`${index + 1}. ${question}`} prominent>
          <JournalBox placeholder={placeholder} readOnly />
        </Field>
      ))}
    </section>
  );
}
