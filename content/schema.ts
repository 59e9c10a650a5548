import { z } from "zod";

const path = z.string().regex(/^\/\S*$/, "must begin with '/'");
const address = z.url({ protocol: /^https?$/, error: "must be an address like https://…" });
const words = z.string().trim().min(1, "is empty");
const link = z.object({ href: path, label: words });

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return /^[A-Z]/.test(zone);
  } catch {
    return false;
  }
}

/** What content/site.ts must hold. Paths of pictures are those of files in public/. */
export const siteSchema = z.object({
  name: words,
  coach: z.object({ name: words, firstName: words, photo: path.nullable() }),
  title: words,
  description: words.max(160, "is longer than the 160 characters that search engines show"),
  blurb: words,
  email: z.email("must be an email address"),
  timeZone: z
    .string()
    .refine(isTimeZone, "must be a place of the time zones, like America/New_York"),
  social: z.object({
    handle: z.string().regex(/^@\w+$/, "must be like @name"),
    profiles: z.array(address),
  }),
  navigation: z.array(link),
  footerLinks: z.array(link),
  featured: z
    .array(z.object({ title: words, length: words, href: address, thumbnail: path, alt: words }))
    .length(3, "must have three videos"),
  testimonials: z.array(z.object({ quote: words, who: words })).length(2, "must have two quotes"),
  coachingApplicationUrl: address,
  crisisLines: z.object({ name: words, href: address }),
  inDanger: words,
  comingSoon: z.strictObject({ "blue-dot-method": z.boolean(), "seven-days-of-calm": z.boolean() }),
});

export type Site = z.infer<typeof siteSchema>;

const shareCard = z.object({
  title: words.max(60, "is too long to be read in a small picture: 60 characters at most"),
  line: words
    .max(60, "is too long to be read in a small picture: 60 characters at most")
    .optional(),
  drawing: z.enum(["water", "horizon", "kitchen", "path", "compass", "stones", "chairs"]),
});

/** What content/share.ts must hold: a card for each picture in public/share, by its name. */
export const shareSchema = z.record(z.string().regex(/^[a-z-]+$/), shareCard);

export type Share = z.infer<typeof shareSchema>;

const page = z.object({
  title: words,
  description: words
    .min(50, "is shorter than 50 characters; search engines show up to 160")
    .max(160, "is longer than the 160 characters that search engines show"),
  heading: words,
  lead: words.optional(),
});
const part = z.object({ heading: words });

type PageFile = { front: z.ZodType; sections?: number; divided?: boolean };

/**
 * The files of content/pages: what their front matter must hold, how many `##` sections they
 * must have, where the page depends on it, and whether the page shows what stands under a
 * `###` as a thing of its own: a week, a question.
 */
export const pageFiles: Record<string, PageFile> = {
  home: { front: page },
  about: { front: page },
  "about-blue-dot": { front: part },
  beliefs: { front: part, sections: 4 },
  coaching: { front: page, sections: 4 },
  "coaching-faq": { front: part, sections: 4 },
  "blue-dot-method": { front: page, divided: true },
  "seven-days-of-calm": { front: page, divided: true },
  privacy: { front: page },
  terms: { front: page },
};

/** A Markdown file of content/pages, as a page imports it. HTML is safe to be shown. */
export type PageText = {
  heading: string;
  /** Of pages: for search engines and the browser's tab. */
  title: string;
  description: string;
  lead?: string;
  /** What stands before the first `##`. */
  html: string;
  sections: TextSection[];
};

export type TextPart = { id: string; title: string; html: string };

/** What stands under a `##`. Of a divided file, `html` ends at the first `###`. */
export type TextSection = TextPart & { parts?: TextPart[] };

const dialled = (text: string) => text.replaceAll(" ", "");
const number = z
  .string()
  .refine(
    (text) => /^[*#+]?\d[\d ]*$/.test(text) && /^[*#+]?\d{2,15}$/.test(dialled(text)),
    "must be a number as it is dialled there, like '116 123': digits and spaces, 2 to 15 digits",
  );
const source = z.url({ protocol: /^https$/, error: "must be an address like https://…" });
const countryCode = z.string().regex(/^[A-Z]{2}$/, "must be a code of two letters, like IE");
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month like 2026-11");
const day = z.iso.date("must be a day like 2026-11-28");

const helpLine = z
  .strictObject({
    name: words,
    call: number.optional(),
    text: z.strictObject({ to: number, word: words.optional() }).optional(),
    hours: words,
    languages: z.array(words).min(1, "must name a language"),
    free: z.boolean().optional(),
    note: words.optional(),
    sources: z
      .array(
        z.strictObject({ address: source, dated: month.optional() }),
        "must name where it is from",
      )
      .min(1, "must name where it is from"),
  })
  .refine(({ call, text }) => call ?? text, "must have a number to call or to text");

const countryHelp = z.strictObject({
  code: countryCode,
  name: words,
  also: z.array(countryCode).optional(),
  emergency: z.array(number).min(1, "must have an emergency number"),
  checked: day,
  lines: z.array(helpLine).min(1, "must have a line"),
});

/**
 * What content/help/countries.json must hold, on a day like '2026-11-28'. `checked` is the day when
 * somebody last looked at the sources of a country's numbers; `dated` is the month that a source
 * gives for itself; `also` are places whose time zones lead to the same lines.
 */
export const helpSchema = (today: string) =>
  z.strictObject({
    emergencySource: source,
    countries: z
      .array(
        countryHelp.refine(({ checked }) => checked <= today, {
          path: ["checked"],
          error: "is a day that has not come yet",
        }),
      )
      .refine((all) => {
        const codes = all.flatMap(({ code, also = [] }) => [code, ...also]);
        return new Set(codes).size === codes.length;
      }, "has a country twice"),
  });

export type Help = z.infer<ReturnType<typeof helpSchema>>;
export type CountryHelp = Help["countries"][number];
