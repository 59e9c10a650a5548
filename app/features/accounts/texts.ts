/** Where somebody goes after signing in when nothing else was asked for (spec 9). */
export const defaultDestination = "/my-courses";

export const passwordHint = "Must be 8+ characters with uppercase, lowercase, and number";

/** Every message of spec 8 that this noun shows, and its own beside them. */
export const messages = {
  validation: "Validation Error",
  signUpFailed: "Sign up failed",
  signInFailed: "Sign in failed",
  created: {
    title: "Account created!",
    description: "Please check your email to verify your account.",
  },
  welcome: { title: "Welcome back!", description: "You've successfully signed in." },
  sentAgain: { title: "It has been sent again.", description: "Please check your email." },
  sendFailed: "The email was not sent",
  resetFailed: "The password was not changed",
  verifyFailed: "Your address is not confirmed yet",
  deadLink: "This link no longer works",
  signedOut: { title: "You are signed out." },
  verified: { title: "Your email address is confirmed.", description: "You are signed in." },
  verifiedBefore: { title: "Your email address is confirmed.", description: "You can sign in." },
  passwordChanged: {
    title: "Your password is changed.",
    description: "Please sign in with the new one.",
  },
  adminCreated: { title: "Your account is ready.", description: "You can sign in now." },
  tooMany: "That was a lot of tries in a short time. Please wait a minute and try again.",
  unreachable: "Something went wrong here. Please try again.",
} as const;
