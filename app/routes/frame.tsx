import { Outlet } from "react-router";

/*
 * Around every page: what fails in one, also while it takes a form, is told in the site's frame,
 * whose data root.tsx loads only for failures below it.
 */
export default Outlet;
export { ErrorBoundary } from "~/error-page.tsx";
