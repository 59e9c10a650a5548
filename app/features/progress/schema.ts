/** The sort columns with their first direction; the first is the default (spec 7, profiles). */
export const studentSorts = { email: "asc", name: "asc", joined: "desc" } as const;

export type StudentSort = keyof typeof studentSorts;

export type StudentRow = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  isAdmin: boolean;
  /** A suspended account cannot sign in. */
  suspendedAt: Date | null;
  createdAt: Date;
};

/** Never what was written in a lesson, nor whether anything was. */
export type LessonState =
  | { kind: "completed"; at: Date }
  | { kind: "open" }
  | { kind: "opens"; at: Date }
  /** For a course that the student is no longer enrolled in. */
  | { kind: "not-completed" };

/** A course with a current or former enrollment. */
export type StudentCourse = {
  /** Of that enrollment. */
  id: string;
  productId: string;
  title: string;
  isActive: boolean;
  isDeleted: boolean;
  stripePaymentId: string | null;
  since: Date;
  /** When the enrollment ended; null while it lasts. */
  until: Date | null;
};

export type StudiedLesson = {
  productId: string;
  moduleId: string;
  module: string;
  id: string;
  title: string;
  dripDay: number;
  completedAt: Date | null;
};

export type StudiedModule = {
  id: string;
  title: string;
  lessons: { id: string; title: string; state: LessonState }[];
};

/** That an email was sent, not its content. */
export type SentEmail = { id: string; kind: string; subject: string; createdAt: Date };
