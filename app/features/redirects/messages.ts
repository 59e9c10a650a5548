import { longestPath, longestTarget, mostRedirects, shownPath, type Way } from "./rules.ts";

export const redirectsPath = "/admin/redirects";
export const lostPagesPath = "/admin/redirects/lost";

/** Pages that an old address may lead to, beside the courses. */
export const targetPages = [
  ["/", "Home"],
  ["/about", "About"],
  ["/courses", "Courses"],
  ["/coaching", "Coaching"],
  ["/help", "Help"],
  ["/newsletter", "Newsletter"],
  ["/privacy", "Privacy policy"],
  ["/terms", "Terms"],
] as const;

export const redirectMessages = {
  loadFailed: "Failed to load the addresses",
  failed: "Failed to save the address",
  gone: "This address was removed already.",
  removed: { title: "Removed", description: "The old address is “not found” again." },
  ignored: { title: "Ignored", description: "This address is no longer listed here." },
} as const;

export const fromProblems = {
  missing: "Type the old address, such as /old-page.",
  unreadable: "This is no address of this site. It begins with a slash, such as /old-page.",
  extra: "Leave out what follows the question mark or the #: only the path counts.",
  long: `An address has ${longestPath} characters at most.`,
} as const;

export const targetProblems = {
  missing: "Choose a page, or type another address.",
  unreadable: "Type a path of this site, such as /about, or an address that begins with https://.",
  extra: "Leave out what follows the question mark or the #: only the path counts.",
  long: `An address elsewhere has ${longestTarget} characters at most.`,
} as const;

export const elsewhere = "The old address is one of this site: a path such as /old-page.";
export const samePlace = "An address cannot lead to itself.";
export const tooMany = `There are ${mostRedirects.toLocaleString("en-US")} already, which is the most. Remove one first.`;

export function belongsToSite(part: string): string {
  return `Addresses under ${part} belong to the site itself.`;
}

/** Of an old address at which there is a page. */
export const pageThere =
  "There is a page at this address, and visitors see it. Only an address without a page can lead elsewhere.";

export function noPageThere(path: string): string {
  return `There is no page at ${path}.`;
}

export function alreadyLeads(target: string): string {
  return `This address leads to ${target} already. Change that one instead.`;
}

export function savedRedirect({ fromPath, target }: Way) {
  return {
    title: "Saved",
    description: `${shownPath(fromPath)} now leads to ${shownPath(target)}.`,
    tone: "success",
  } as const;
}
