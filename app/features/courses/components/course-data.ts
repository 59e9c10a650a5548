import type { Course, ItemList, Offer } from "schema-dts";
import type { Site } from "~content/fields.ts";
import { coachRef, organizationRef } from "~content/structured-data.ts";
import type { Course as CourseRow } from "../schema.ts";

type Described = Pick<CourseRow, "slug" | "title" | "description"> & {
  /** In US cents; null when unknown. */
  priceCents: number | null;
  /** False for a course that is only announced: it gets no offer. */
  forSale: boolean;
};

/** Number of daily ten-minute practices, for the courses with a fixed number (spec 9). */
const practiceDays: Record<string, number> = { "blue-dot-method": 42, "seven-days-of-calm": 7 };

/** schema.org data of a course, for search engines (spec 2, /courses and the course pages). */
export function courseData(origin: string, site: Site, course: Described): Course {
  const { slug, title, description, priceCents, forSale } = course;
  const days = practiceDays[slug];
  const url = `${origin}/courses/${slug}`;
  return {
    "@type": "Course",
    "@id": `${url}#course`,
    name: title,
    description: description || `A self-paced grief course by ${site.coachName}.`,
    url,
    inLanguage: "en",
    provider: organizationRef(origin, site),
    offers: forSale && priceCents !== null ? offer(url, priceCents) : undefined,
    hasCourseInstance: {
      "@type": "CourseInstance",
      courseMode: "Online",
      instructor: coachRef(origin, site),
      courseSchedule: days
        ? {
            "@type": "Schedule",
            repeatFrequency: "Daily",
            repeatCount: days,
            duration: "PT10M",
          }
        : undefined,
    },
  };
}

function offer(url: string, priceCents: number): Offer {
  return {
    "@type": "Offer",
    url,
    category: priceCents > 0 ? "Paid" : "Free",
    price: (priceCents / 100).toFixed(2),
    priceCurrency: "USD",
    availability: "https://schema.org/InStock",
  };
}

/** The course list and each course (spec 2, /courses), not nested: Google takes nested items for
 * parts of the list page and rejects the URLs of other pages there. */
export function courseListData(
  origin: string,
  site: Site,
  courses: readonly Described[],
): [ItemList, ...Course[]] {
  const list: ItemList = {
    "@type": "ItemList",
    "@id": `${origin}/courses#list`,
    name: `Courses of ${site.name}`,
    numberOfItems: courses.length,
    itemListElement: courses.map(({ slug }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      url: `${origin}/courses/${slug}`,
    })),
  };
  return [list, ...courses.map((course) => courseData(origin, site, course))];
}
