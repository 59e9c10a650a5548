import type { Blog, BlogPosting } from "schema-dts";
import type { Site } from "~content/fields.ts";
import { coachRef, organizationRef } from "~content/structured-data.ts";
import { archivePath, issuePath } from "../rules.ts";

type Described = { slug: string; subject: string; preview: string; startedAt: string };

const blogId = (origin: string) => `${origin}${archivePath}#blog`;

/** schema.org data of an issue's page, for search engines. */
export function issueData(
  origin: string,
  site: Site,
  issue: Described & { updatedAt: string; image: string },
): BlogPosting {
  const { image, updatedAt } = issue;
  return {
    ...headOf(origin, issue),
    description: issue.preview || undefined,
    dateModified: updatedAt,
    inLanguage: "en",
    image: origin + image,
    author: coachRef(origin, site),
    publisher: organizationRef(origin, site),
    isPartOf: { "@id": blogId(origin) },
    mainEntityOfPage: origin + issuePath(issue.slug),
  };
}

function headOf(origin: string, { slug, subject, startedAt }: Described) {
  const url = origin + issuePath(slug);
  return {
    "@type": "BlogPosting",
    "@id": `${url}#issue`,
    headline: subject,
    url,
    datePublished: startedAt,
  } as const satisfies BlogPosting;
}

/** schema.org data of the archive and the issues that its first page lists. */
export function archiveData(origin: string, site: Site, issues: readonly Described[]): Blog {
  return {
    "@type": "Blog",
    "@id": blogId(origin),
    name: site.newsletterTitle,
    description: site.newsletterSubtitle,
    url: origin + archivePath,
    inLanguage: "en",
    author: coachRef(origin, site),
    publisher: organizationRef(origin, site),
    blogPost: issues.map((issue) => headOf(origin, issue)),
  };
}
