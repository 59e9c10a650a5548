import { createContext, use } from "react";
import type { Site } from "./fields.ts";

/** Of a page that failed before anything was read. */
const nothing = { name: "", title: "", description: "", profiles: [] } as unknown as Site;

/** The public names and words of every page. */
export const SiteContext = createContext<Site>(nothing);

export const useSite = (): Site => use(SiteContext);
