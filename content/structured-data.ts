import type {
  AboutPage,
  BreadcrumbList,
  FAQPage,
  Organization,
  Person,
  Service,
  WebSite,
} from "schema-dts";
import { site } from "./site.ts";

/*
 * Who this is, in the words of schema.org, made of site.ts. `origin` is the site's own, without a
 * slash at the end. The ids stay the same for good: search engines tell things apart by them.
 */

const ids = (origin: string) => ({
  organization: `${origin}/#organization`,
  coach: `${origin}/#coach`,
  website: `${origin}/#website`,
});

/** The coach, as a page names them that is not about them. */
export function coachRef(origin: string) {
  return {
    "@type": "Person",
    "@id": ids(origin).coach,
    name: site.coach.name,
    url: `${origin}/about`,
  } as const satisfies Person;
}

/** The brand, as a page names it that is not about it. */
export function organizationRef(origin: string) {
  return {
    "@type": "Organization",
    "@id": ids(origin).organization,
    name: site.name,
    url: `${origin}/`,
  } as const satisfies Organization;
}

export function coach(origin: string): Person {
  const { photo } = site.coach as { photo: string | null };
  return {
    ...coachRef(origin),
    jobTitle: "Grief coach",
    worksFor: { "@id": ids(origin).organization },
    sameAs: site.social.profiles,
    image: photo ? `${origin}${photo}` : undefined,
  };
}

export function organization(origin: string): Organization {
  return {
    ...organizationRef(origin),
    description: site.description,
    email: site.email,
    founder: { "@id": ids(origin).coach },
    logo: {
      "@type": "ImageObject",
      url: `${origin}/icon-512.png`,
      width: "512",
      height: "512",
    },
    image: `${origin}/share/default.png`,
    sameAs: site.social.profiles,
  };
}

export function website(origin: string): WebSite {
  return {
    "@type": "WebSite",
    "@id": ids(origin).website,
    name: site.name,
    url: `${origin}/`,
    description: site.description,
    inLanguage: "en",
    publisher: { "@id": ids(origin).organization },
  };
}

/** The page about them. */
export function aboutPage(
  origin: string,
  { title, description }: { title: string; description: string },
): AboutPage {
  return {
    "@type": "AboutPage",
    "@id": `${origin}/about#page`,
    url: `${origin}/about`,
    name: title,
    description,
    inLanguage: "en",
    isPartOf: { "@id": ids(origin).website },
    mainEntity: coach(origin),
  };
}

/** Coaching is applied for elsewhere and not sold here: a service without an offer. */
export function coachingService(origin: string, description: string): Service {
  return {
    "@type": "Service",
    "@id": `${origin}/coaching#service`,
    name: "One-on-one grief coaching",
    serviceType: "Grief coaching",
    description,
    url: `${origin}/coaching`,
    provider: coachRef(origin),
    termsOfService: `${origin}/terms`,
  };
}

/** Questions and answers that stand on the page at `url`; an answer is HTML, as it is shown there. */
export function faqPage(
  url: string,
  questions: readonly { title: string; html: string }[],
): FAQPage {
  return {
    "@type": "FAQPage",
    "@id": `${url}#faq`,
    url,
    mainEntity: questions.map(({ title, html }) => ({
      "@type": "Question",
      name: title,
      acceptedAnswer: { "@type": "Answer", text: html },
    })),
  };
}

/** The way from the first page to this one: names and paths below the first page. */
export function breadcrumbs(origin: string, ...trail: [name: string, path: string][]) {
  const steps = [["Home", "/"], ...trail] as const;
  return {
    "@type": "BreadcrumbList",
    itemListElement: steps.map(([name, path], index) => ({
      "@type": "ListItem" as const,
      position: index + 1,
      name,
      item: `${origin}${path}`,
    })),
  } as const satisfies BreadcrumbList;
}
