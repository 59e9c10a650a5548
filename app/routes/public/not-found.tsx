import { data } from "react-router";

/** Any other path, and /404 itself (spec 2, 404 page); the request's log line names it. */
export function loader(): never {
  throw data(null, 404);
}

/** Also for forms sent to an unknown path. */
export function action(): never {
  throw data(null, 404);
}

export default function NotFound() {
  return null;
}
