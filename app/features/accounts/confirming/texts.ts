/** What the page of the letter says where a press is not enough. */
export const messages = {
  missing: "Please enter the password that you chose when you signed up.",
  wrong: "This is not the password with which the account was made.",
  tooMany: "That was a lot of tries. Please wait a quarter of an hour, or choose a new password.",
} as const;
