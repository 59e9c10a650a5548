/** 'Course created successfully' and its siblings: the pattern of spec 8, Admin successes. */
export function saved(
  what: "Course" | "Module" | "Lesson",
  how: "created" | "updated" | "deleted",
) {
  return { title: `${what} ${how} successfully`, tone: "success" } as const;
}

/** Texts of spec 8 for courses, modules and lessons in the admin. */
export const messages = {
  activated: { title: "Course activated", tone: "success" },
  duplicated: {
    title: "Course duplicated",
    description: "This is the copy. It is inactive and has no students.",
    tone: "success",
  },
  deactivated: { title: "Course deactivated", tone: "success" },
  invalidPrompts: "Invalid JSON format for prompts",
} as const;

/** What a list says in its place when it cannot be loaded (spec 8, Admin loads failing). */
export const loadFailed = {
  courses: "Failed to load courses",
  modules: "Failed to load modules",
  lessons: "Failed to load lessons",
} as const;

/** What is said when saving fails and the server has nothing to say (spec 8, Admin save errors). */
export const saveFailed = {
  courseUpdate: "Failed to update course",
  courseDelete: "Failed to delete course",
  moduleDelete: "Failed to delete module",
  lessonDelete: "Failed to delete lesson",
} as const;
