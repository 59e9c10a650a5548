import type { Course, ItemList, Offer } from "schema-dts";
import { site } from "~content/site.ts";
import { coachRef, organizationRef } from "~content/structured-data.ts";
import type { Course as CourseRow } from "../schema.ts";

type Described = Pick<CourseRow, "slug" | "title" | "description"> & {
  /** In US cents; null where it is not known. */
  priceCents: number | null;
  /** Whether somebody could enroll today. What is only announced has no offer. */
  forSale: boolean;
};

/** Days with ten minutes of practice each, of the courses that have a fixed number (spec 9). */
const practiceDays: Record<string, number> = { "blue-dot-method": 42, "seven-days-of-calm": 7 };

/** A course for search engines (spec 2, /courses and the pages of the courses). */
export function courseData(origin: string, course: Described): Course {
  const { slug, title, description, priceCents, forSale } = course;
  const days = practiceDays[slug];
  const url = `${origin}/courses/${slug}`;
  return {
    "@type": "Course",
    "@id": `${url}#course`,
    name: title,
    description: description || `A self-paced grief course by ${site.coach.name}.`,
    url,
    inLanguage: "en",
    provider: organizationRef(origin),
    offers: forSale && priceCents !== null ? offer(url, priceCents) : undefined,
    hasCourseInstance: {
      "@type": "CourseInstance",
      courseMode: "Online",
      instructor: coachRef(origin),
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

/** The price is in dollars with two decimals, as it is shown. */
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

/**
 * The list of courses for search engines (spec 2, /courses), and each of them. Not one inside the
 * other: Google takes things within a list for parts of the list's own page, and refuses addresses
 * of others there.
 */
export function courseListData(
  origin: string,
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
  return [list, ...courses.map((course) => courseData(origin, course))];
}
