/** How the list of students can be ordered, and which way at first; the first is the default (spec 7, profiles). */
export const studentSorts = { email: "asc", name: "asc", joined: "desc" } as const;

export type StudentSort = keyof typeof studentSorts;

/** An account as the list shows it. */
export type StudentRow = {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  isAdmin: boolean;
  /** Nobody can sign in to it. */
  suspendedAt: Date | null;
  createdAt: Date;
};

/** How it stands with a lesson. Never what was written there, nor whether anything was. */
export type LessonState =
  | { kind: "completed"; at: Date }
  | { kind: "open" }
  | { kind: "opens"; at: Date }
  /** Of a course that she is no longer enrolled in. */
  | { kind: "not-completed" };

/** A course that somebody studies or has studied. */
export type StudiedCourse = {
  /** Of the enrollment, or of the former one. */
  id: string;
  productId: string;
  title: string;
  isActive: boolean;
  isDeleted: boolean;
  stripePaymentId: string | null;
  since: Date;
  /** When the enrollment was ended; null while it lasts. */
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

/** A letter that went to somebody: that it went, not what it said. */
export type SentMail = { id: string; kind: string; subject: string; createdAt: Date };
