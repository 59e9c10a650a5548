import { z } from "zod";

/** Where somebody goes after signing in when nothing else was asked for (spec 9). */
export const defaultDestination = "/my-courses";

const email = z
  .string({ error: "Invalid email format" })
  .trim()
  .max(255, "Email must be less than 255 characters")
  .pipe(z.email("Invalid email format"));

const password = z
  .string({ error: "Password must be at least 8 characters" })
  .min(8, "Password must be at least 8 characters")
  .max(100, "Password must be less than 100 characters")
  .regex(/[A-Z]/, "Password must include at least one uppercase letter")
  .regex(/[a-z]/, "Password must include at least one lowercase letter")
  .regex(/[0-9]/, "Password must include at least one number");

const name = z
  .string({ error: "Name is required" })
  .trim()
  .min(1, "Name is required")
  .max(100, "Name must be less than 100 characters");

/** Spec 5, Account forms. The order of the fields is the order of the messages. */
export const signInFields = z.object({ email, password });
export const signUpFields = z.object({ name, email, password });
export const emailField = z.object({ email });
export const newPasswordField = z.object({ password });

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
  signedOut: { title: "You are signed out.", description: undefined },
  verified: { title: "Your email address is confirmed.", description: "You are signed in." },
  passwordChanged: {
    title: "Your password is changed.",
    description: "Please sign in with the new one.",
  },
  tooMany: "That was a lot of tries in a short time. Please wait a minute and try again.",
  unreachable: "Something went wrong on our side. Please try again.",
} as const;
