import { Outlet } from "react-router";

/* Errors of an admin page are shown inside the admin's frame, with the tabs still available. */
export default Outlet;
export { ErrorBoundary } from "../error-page.tsx";
