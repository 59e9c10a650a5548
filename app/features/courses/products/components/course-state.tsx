/** Whether a course is shown to everybody, in words; the dot is decoration. */
export function CourseState({ active }: { active: boolean }) {
  return (
    <span className="course-state" data-active={active || undefined}>
      {active ? "Active" : "Inactive"}
    </span>
  );
}
