/** Texts of spec 2 and 8 around enrolling. */
export const messages = {
  signInFirst: { title: "Please sign in to enroll in this course" },
  comingSoon: {
    title: "Enrollment",
    description:
      "Payment integration is coming soon. For demo, enrollment can be done via an admin panel.",
  },
} as const;
