type Thing = "course" | "lesson";

export const versionMessages = {
  none: "This version does not exist.",
  changed: (thing: Thing) =>
    `This ${thing} has changed since it was shown to you. Nothing was brought back. Please look at the changes again.`,
  refused: (why: string) => `${why} Nothing was brought back.`,
  restored: (number: number) =>
    ({ title: `Version ${number} is back, as the newest version`, tone: "success" }) as const,
  failed: "Failed to bring the version back",
  lostPicture:
    "A picture in it was removed meanwhile. Its line comes back; choose the picture once more.",
  moduleGone: "The module of this version was deleted: restore it first.",
  saved: ({ when, who }: { when: string | null; who: string | null }) =>
    `Saved on ${when}${who ? ` by ${who}` : ""}`,
  unknownAuthor: "Not recorded",
} as const;
