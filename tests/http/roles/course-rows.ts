import { byRole, coursePage, ok, page, post, type Row, seeOther } from "./row.ts";

export const courseRows: Row[] = [
  page("/courses", "active courses only", 200),
  page("/courses/blue-dot-method", "the page", 200),
  page("/courses/seven-days-of-calm", "the page", 200),
  ...["blue-dot-method", "seven-days-of-calm"].map(
    (slug): Row =>
      post(`/courses/${slug}`, "the button, while nothing is sold", seeOther(`/courses/${slug}`), {
        form: {},
      }),
  ),
  page(
    "/courses/:slug",
    "an active course",
    byRole(ok("Enroll Now"), ok("Enroll Now"), ok("Continue Learning")),
    ({ world }) => `/courses/${world.active.slug}`,
  ),
  page(
    "/courses/:slug",
    "an inactive course",
    byRole(404, 404, 404, 200),
    ({ world }) => `/courses/${world.inactive.slug}`,
  ),
  page("/courses/:slug", "a deleted course", 404, ({ world }) => `/courses/${world.deleted.slug}`),
  page("/courses/:slug", "no course", 404, "/courses/none"),
  post(
    "/courses/:slug",
    "the button",
    byRole(
      seeOther(
        /^\/auth\?redirect=\/courses\/course-[\w-]+$/,
        "Please sign in to enroll in this course",
      ),
      seeOther(coursePage, "Enrollment"),
      seeOther(/^\/courses\/course-[\w-]+\/learn$/),
    ),
    ({ world }) => ({ path: `/courses/${world.active.slug}`, form: {} }),
  ),
  post(
    "/courses/:slug",
    "the button of an inactive course",
    byRole(404, 404, 404, seeOther(coursePage, "Enrollment")),
    ({ world }) => ({ path: `/courses/${world.inactive.slug}`, form: {} }),
  ),
];
