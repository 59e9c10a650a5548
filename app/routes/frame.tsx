import { Outlet } from "react-router";

/* Around every page: an error in one, also in its action, is shown in the site's frame, whose
 * data root.tsx loads only for errors below it. */
export default Outlet;
export { ErrorBoundary } from "./error-page.tsx";
