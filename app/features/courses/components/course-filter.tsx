import { Select } from "~/ui/select.tsx";
import type { CourseChoice } from "../products/schema.ts";

type Props = {
  courses: CourseChoice[];
  /** Id of the course that the list is kept to. */
  chosen: string | null;
  /** What keeping to none of them is called. */
  all?: string;
};

/** Keeps a list to one course: for the children of ListTools. */
export function CourseFilter({ courses, chosen, all = "All courses" }: Props) {
  return (
    <Select dense name="course" aria-label="Course" defaultValue={chosen ?? ""} key={chosen}>
      <option value="">{all}</option>
      {courses.map((course) => (
        <option key={course.id} value={course.id}>
          {courseLabel(course)}
        </option>
      ))}
    </Select>
  );
}

/** The title of a course where courses can be chosen. */
export const courseLabel = ({ title, active }: Pick<CourseChoice, "title" | "active">) =>
  active ? title : `${title} (inactive)`;
