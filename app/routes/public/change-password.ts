import { redirect } from "react-router";

/** Where password managers send people who want a new password (W3C, 'A Well-Known URL for
 * Changing Passwords'). */
export function loader() {
  return redirect("/account/password");
}
