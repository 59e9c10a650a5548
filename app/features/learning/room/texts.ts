/** The words about a person's room. None of them says how much a journal should hold. */
export const roomTexts = {
  full: "There is no room left for more of your words, so this is not saved on the site. Nothing is lost: what you wrote is still in the boxes. In My journal you can take everything with you, and delete drafts that you no longer need. Then it can be saved.",
  tooFast:
    "A great deal is being saved at once. Nothing is lost: what you wrote is still in the boxes, or comes back with your browser’s back button. Please try again in a minute.",
} as const;

/** Said kindly before the room is full. */
export const nearlyFull = (percent: number): string =>
  percent < 100
    ? `Your words fill ${percent} percent of the room that is kept for them here.`
    : "Your words fill all the room that is kept for them here.";
