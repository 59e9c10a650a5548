import type { Course } from "../schema.ts";

/** Structured data of the course list, for search engines (spec 2, /courses). */
export function CourseListData({ courses, appUrl }: { courses: Course[]; appUrl: string }) {
  const list = {
    "@context": "https://schema.org",
    "@type": "ItemList",
    itemListElement: courses.map(({ title, description, slug }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      url: `${appUrl}/courses/${slug}`,
      item: { "@type": "Course", name: title, description: description ?? undefined },
    })),
  };
  // A title may hold anything; nothing in it may end the element.
  const json = JSON.stringify(list).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: data, not a script; escaped above
  return <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: json }} />;
}
