import type {
  AboutPage,
  BreadcrumbList,
  FAQPage,
  Organization,
  Person,
  Service,
  WebSite,
} from "schema-dts";
import type { Site } from "./fields.ts";

/*
 * Who this is, in the words of schema.org. `origin` is the site's own, without a
 * slash at the end. The ids stay the same for good: search engines tell things apart by them.
 */

const ids = (origin: string) => ({
  organization: `${origin}/#organization`,
  coach: `${origin}/#coach`,
  website: `${origin}/#website`,
});

const profiles = (site: Site) => site.profiles.map(({ address }) => address);

/** The coach, as a page names them that is not about them. */
export function coachRef(origin: string, site: Site) {
  return {
    "@type": "Person",
    "@id": ids(origin).coach,
    name: site.coachName,
    url: `${origin}/about`,
  } as const satisfies Person;
}

/** The brand, as a page names it that is not about it. */
export function organizationRef(origin: string, site: Site) {
  return {
    "@type": "Organization",
    "@id": ids(origin).organization,
    name: site.name,
    url: `${origin}/`,
  } as const satisfies Organization;
}

export function coach(origin: string, site: Site): Person {
  return {
    ...coachRef(origin, site),
    jobTitle: "Grief coach",
    worksFor: { "@id": ids(origin).organization },
    sameAs: profiles(site),
  };
}

export function organization(origin: string, site: Site): Organization {
  return {
    ...organizationRef(origin, site),
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
    sameAs: profiles(site),
  };
}

export function website(origin: string, site: Site): WebSite {
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
  site: Site,
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
    mainEntity: coach(origin, site),
  };
}

/** Coaching is applied for elsewhere and not sold here: a service without an offer. */
export function coachingService(origin: string, site: Site, description: string): Service {
  return {
    "@type": "Service",
    "@id": `${origin}/coaching#service`,
    name: "One-on-one grief coaching",
    serviceType: "Grief coaching",
    description,
    url: `${origin}/coaching`,
    provider: coachRef(origin, site),
    termsOfService: `${origin}/terms`,
  };
}

/** Questions and answers that stand on the page at `url`; an answer is HTML, as it is shown there. */
export function faqPage(
  url: string,
  questions: readonly { title: string; text: string }[],
): FAQPage {
  return {
    "@type": "FAQPage",
    "@id": `${url}#faq`,
    url,
    mainEntity: questions.map(({ title, text }) => ({
      "@type": "Question",
      name: title,
      acceptedAnswer: { "@type": "Answer", text },
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
