import { z } from "zod";

const words = z.string().trim().min(1, "is empty");

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
