import { useSearchParams } from "react-router";

/**
 * The address of another lesson of the course, from its key. An administrator who looks as a
 * student goes on doing so.
 */
export function useLessonLink(): (key: string) => string {
  const [search] = useSearchParams();
  const view = search.get("view") === "student" ? "view=student&" : "";
  return (key) => `?${view}lesson=${encodeURIComponent(key)}`;
}
