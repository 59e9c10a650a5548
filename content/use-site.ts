import { createContext, use } from "react";
import { shown } from "~content/pages/site.yaml";
import type { Site } from "./fields.ts";

/** The public names and words of every page; without a provider, those of the first edition. */
export const SiteContext = createContext(shown as Site);

export const useSite = (): Site => use(SiteContext);
