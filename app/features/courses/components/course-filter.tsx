import { Filter } from "~/ui/list-tools.tsx";
import type { CourseChoice } from "../schema.ts";

type Props = {
  courses: CourseChoice[];
  chosen: string | null;
  all?: string;
};

export function CourseFilter({ courses, chosen, all = "All courses" }: Props) {
  return (
    <Filter name="course" aria-label="Course" chosen={chosen}>
      <option value="">{all}</option>
      {courses.map((course) => (
        <option key={course.id} value={course.id}>
          {courseLabel(course)}
        </option>
      ))}
    </Filter>
  );
}

export const courseLabel = ({ title, active }: Pick<CourseChoice, "title" | "active">) =>
  active ? title : `${title} (inactive)`;
