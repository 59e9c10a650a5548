import type { Content } from "~content/fields.ts";
import * as about from "~content/pages/about.md";
import * as blueDotMethod from "~content/pages/blue-dot-method.yaml";
import * as coaching from "~content/pages/coaching.md";
import * as courses from "~content/pages/courses.yaml";
import * as enrollmentSuccess from "~content/pages/enrollment-success.yaml";
import * as home from "~content/pages/home.md";
import * as newsletter from "~content/pages/newsletter.yaml";
import * as notFound from "~content/pages/not-found.yaml";
import * as privacy from "~content/pages/privacy.md";
import * as sevenDaysOfCalm from "~content/pages/seven-days-of-calm.yaml";
import * as site from "~content/pages/site.yaml";
import * as terms from "~content/pages/terms.md";
import * as thankYou from "~content/pages/thank-you.yaml";

/** As written, and as shown. */
export type PageEdition = { source: Content; shown: Content };

/** What each page says until the coach publishes words of their own: the files of content/pages. */
export const firstEdition: Readonly<Record<string, PageEdition>> = {
  site,
  home,
  about,
  coaching,
  courses,
  newsletter,
  "thank-you": thankYou,
  "enrollment-success": enrollmentSuccess,
  "not-found": notFound,
  privacy,
  terms,
};

/** Courses that have a page in the first edition, by their addresses (spec 2, route table). */
export const firstCoursePages: Readonly<Record<string, PageEdition>> = {
  "blue-dot-method": blueDotMethod,
  "seven-days-of-calm": sevenDaysOfCalm,
};
