import { accountRows } from "./account-rows.ts";
import { courseRows } from "./course-rows.ts";
import { newsletterRows } from "./newsletter-rows.ts";
import { playerRows } from "./player-rows.ts";
import type { Row } from "./row.ts";
import { siteRows } from "./site-rows.ts";

/** Every route and endpoint, and what each role gets there (design section 6). */
export const rows: Row[] = [
  ...siteRows,
  ...courseRows,
  ...playerRows,
  ...accountRows,
  ...newsletterRows,
];
