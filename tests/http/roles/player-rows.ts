import { newId } from "~/platform/db/ids.ts";
import { marks } from "../../support/world.ts";
import {
  at,
  byRole,
  completing,
  drafting,
  learn,
  noCourse,
  notEnrolled,
  previewed,
  type Row,
  signedOutJson,
  signInToLearn,
} from "./row.ts";

export const playerRows: Row[] = [
  {
    pattern: "/courses/:slug/learn",
    what: "an active course",
    page: true,
    ask: ({ world }) => ({ path: learn(world.active.slug) }),
    expect: byRole(
      { status: 302, location: signInToLearn },
      notEnrolled,
      {
        status: 200,
        has: [marks.openText, "/media/course-audio/open/sound.mp3?expires=", "The locked lesson"],
      },
      previewed,
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "its locked lesson",
    page: true,
    ask: ({ world }) => ({ path: learn(world.active.slug, "?lesson=locked") }),
    expect: byRole(
      { status: 302, location: signInToLearn },
      notEnrolled,
      {
        status: 403,
        has: ["This lesson opens on"],
        hasNot: ["/media/", "<textarea"],
      },
      { status: 200, has: [marks.lockedText, "Nothing is recorded."] },
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "an inactive course",
    page: true,
    ask: ({ world }) => ({ path: learn(world.inactive.slug) }),
    expect: byRole(
      { status: 302, location: signInToLearn },
      notEnrolled,
      {
        status: 200,
        has: [marks.openText],
      },
      previewed,
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "a deleted course",
    page: true,
    ask: ({ world }) => ({ path: learn(world.deleted.slug) }),
    expect: byRole({ status: 302, location: signInToLearn }, noCourse, noCourse),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "no course",
    page: true,
    ask: at("/courses/none/learn"),
    expect: byRole(
      { status: 302, location: "/auth?redirect=/courses/none/learn" },
      noCourse,
      noCourse,
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing an open lesson",
    method: "POST",
    ask: completing("active", 0),
    expect: byRole(
      { status: 401, has: ["It was."] },
      notEnrolled,
      {
        status: 303,
        location: /^\/courses\/course-[\w-]+\/learn\?lesson=open$/,
        toast: "Lesson completed!",
      },
      { status: 403 },
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing a locked lesson",
    method: "POST",
    ask: completing("active", 1),
    expect: byRole(
      { status: 401 },
      notEnrolled,
      {
        status: 403,
        has: ["This lesson is not open yet.", "It was."],
      },
      { status: 403 },
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing in an inactive course",
    method: "POST",
    ask: completing("inactive", 0),
    expect: byRole(
      { status: 401 },
      notEnrolled,
      {
        status: 303,
        location: /^\/courses\/course-[\w-]+\/learn\?lesson=open$/,
        toast: "Lesson completed!",
      },
      { status: 403 },
    ),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing in a deleted course",
    method: "POST",
    ask: completing("deleted", 0),
    expect: byRole({ status: 401 }, noCourse, noCourse),
  },
  {
    pattern: "/courses/:slug/learn",
    what: "completing a deleted course's lesson from another course's page",
    method: "POST",
    ask: completing("deleted", 0, "active"),
    expect: byRole(
      { status: 401 },
      notEnrolled,
      { status: 404, has: ["It was."] },
      { status: 404 },
    ),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "reading is no use",
    ask: ({ world }) => ({ path: `${learn(world.active.slug)}/draft` }),
    expect: 405,
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft",
    method: "PUT",
    ask: drafting("active", 0),
    expect: byRole(signedOutJson, { status: 403, has: ['"not_enrolled"'] }, { status: 204 }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft in a locked lesson",
    method: "PUT",
    ask: drafting("active", 1),
    expect: byRole(
      signedOutJson,
      { status: 403, has: ['"not_enrolled"'] },
      {
        status: 403,
        has: ['"locked"'],
      },
    ),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft in an inactive course",
    method: "PUT",
    ask: drafting("inactive", 0),
    expect: byRole(signedOutJson, { status: 403 }, { status: 204 }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "keeping a draft in a deleted course",
    method: "PUT",
    ask: drafting("deleted", 0),
    expect: byRole(signedOutJson, { status: 404 }, { status: 404 }),
  },
  {
    pattern: "/courses/:slug/learn/draft",
    what: "deleting a draft",
    method: "POST",
    ask: ({ world }) => ({ path: `${learn(world.active.slug)}/draft`, form: { draftId: newId() } }),
    expect: byRole(
      signedOutJson,
      { status: 303, location: /^\/courses\/course-[\w-]+\/learn$/ },
      { status: 303, location: /^\/courses\/course-[\w-]+\/learn$/ },
    ),
  },
];
