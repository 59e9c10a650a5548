import type { Thing } from "schema-dts";
import { useAppUrl } from "./page-head.tsx";
import { StructuredData } from "./ui/structured-data.tsx";

/** What a page is about, made of the site's origin; nothing where that is not known. */
export function PageData({ of }: { of: (origin: string) => readonly Thing[] }) {
  const origin = useAppUrl();
  return origin ? <StructuredData graph={of(origin)} /> : null;
}
