import { Outlet } from "react-router";

/* Inside the admin's frame: what fails in one of its pages is told there, with the tabs still at hand. */
export default Outlet;
export { ErrorBoundary } from "~/error-page.tsx";
