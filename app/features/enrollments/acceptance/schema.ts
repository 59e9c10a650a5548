import { signUpFields } from "~/features/accounts/schema.ts";
import type { DeadInvitation } from "./texts.ts";

/** What somebody without an account fills in: the rules of signing up, without the address. */
export const acceptanceFields = signUpFields.pick({ name: true, password: true });

/** An invitation whose link works now. */
export type OpenInvitation = {
  id: string;
  email: string;
  name: string | null;
  productId: string;
  course: string;
  slug: string;
  /** The address has an account that she can sign in to. */
  hasAccount: boolean;
};

/** What a link is: good, or why it is not. Of a used one, whose it was and where it led. */
export type FoundInvitation =
  | { state: "open"; invitation: OpenInvitation }
  | { state: "used"; email: string; slug: string }
  | { state: Exclude<DeadInvitation, "used"> };
