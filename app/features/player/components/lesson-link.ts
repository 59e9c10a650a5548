import { useSearchParams } from "react-router";

/** The URL of a lesson by its key. An administrator's student view stays on. */
export function useLessonLink(): (key: string) => string {
  const [search] = useSearchParams();
  const view = search.get("view") === "student" ? "view=student&" : "";
  return (key) => `?${view}lesson=${encodeURIComponent(key)}`;
}
