/** How the list of enrollments can be ordered, and which way at first; the first is the default. */
export const rosterSorts = { created: "desc", email: "asc" } as const;

export type RosterSort = keyof typeof rosterSorts;

/** One enrollment as the list shows it (spec 2, Admin dashboard: joined course, payment reference). */
export type RosterRow = {
  id: string;
  userId: string;
  name: string;
  email: string;
  productId: string;
  course: string;
  stripePaymentId: string | null;
  createdAt: Date;
};

/** A course to choose from. */
/** What a form was refused for, and the field it is about. */
export type Complaint = { field: string; message: string };

/** What came of enrolling an account by hand. */
export type Enrolled = {
  id: string;
  /** False: it was there before, since `createdAt`. */
  isNew: boolean;
  createdAt: Date;
  /** She was enrolled here before, and removed. */
  isBack: boolean;
  name: string;
  course: string;
};
