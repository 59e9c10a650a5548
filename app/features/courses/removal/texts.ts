/** What is said when something cannot be deleted or brought back. */
export const removalTexts = {
  gone: "This was deleted already.",
  notThere: "This is not among what was deleted. Perhaps it was restored already.",
  tooLate: "This was deleted more than 30 days ago and cannot be restored any more.",
  courseFirst: "Its course is deleted. Restore the course first.",
  moduleFirst: "Its module is deleted. Restore the module first.",
  loadFailed: "Failed to load what was deleted",
  failed: "Failed to restore it",
} as const;

/** 'Course restored', and what it is called now if its slug was taken meanwhile. */
export function restored(kind: "course" | "module" | "lesson", slug: string | null) {
  const what = { course: "Course", module: "Module", lesson: "Lesson" }[kind];
  return {
    title: `${what} restored`,
    description: slug ? `Its slug was taken meanwhile. It is now “${slug}”.` : undefined,
    tone: "success",
  } as const;
}
