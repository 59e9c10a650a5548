import { messages } from "../texts.ts";

/** Above everything, for an administrator who looks at a course: what this is, and the way back. */
export function PreviewBanner({ courseId }: { courseId: string }) {
  return (
    <aside aria-label="Preview" className="on-deep">
      <div className="page page-full flex min-h-11 flex-wrap items-center gap-x-6 text-sm">
        <p className="py-2">{messages.preview}</p>
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
