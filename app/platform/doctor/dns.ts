import { createPublicKey } from "node:crypto";
import { Resolver } from "node:dns/promises";
import { type DnsRecord, lookLimitMs, type Seen } from "./finding.ts";

export type DnsAsked = {
  /** Of the sender's address. */
  domain: string;
  /** Of the mail server in SMTP_URL. */
  smtpHost: string | null;
  /** Of the DKIM key, as the provider calls it. */
  selector: string | null;
  /** Where reports may go. */
  contact: string;
  /** Servers to ask, with a port where it is not 53; those of the machine where there are none. */
  servers: string[];
};

export type DnsFound = { outcomes: Seen[]; records: DnsRecord[] };

/** Looks up the records that let a domain's emails arrive: SPF, DKIM, DMARC, MX. */
export async function lookAtDns(asked: DnsAsked): Promise<DnsFound> {
  const resolver = new Resolver({ timeout: 1500, tries: 2 });
  if (asked.servers.length > 0) resolver.setServers(asked.servers);
  const limit = setTimeout(() => resolver.cancel(), lookLimitMs);
  try {
    const found = await Promise.all([
      spf(resolver, asked),
      dkim(resolver, asked),
      dmarc(resolver, asked),
      mx(resolver, asked),
    ]);
    return {
      outcomes: found.map(({ outcome }) => outcome),
      records: found.flatMap(({ record }) => record ?? []),
    };
  } finally {
    clearTimeout(limit);
  }
}

type Found = { outcome: Seen; record?: DnsRecord };

/** Answers that say that there is nothing; every other error says nothing. */
const none = new Set(["ENOTFOUND", "ENODATA", "NXDOMAIN"]);

class NoAnswer extends Error {}

async function orNone<T>(asking: Promise<T[]>): Promise<T[]> {
  try {
    return await asking;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (none.has(code)) return [];
    throw new NoAnswer(code);
  }
}

const texts = async (resolver: Resolver, name: string) =>
  (await orNone(resolver.resolveTxt(name))).map((parts) => parts.join(""));

/** A look whose servers do not answer is no fault of the records. */
async function answered(title: string, look: () => Promise<Found>): Promise<Found> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const text = `The DNS server did not answer (${error.message}).`;
    return { outcome: { state: "look", title, text } };
  }
}

/** What providers ask to be included, by the end of their mail server's name. */
const includes: Record<string, string> = {
  "amazonaws.com": "amazonses.com",
  "fastmail.com": "spf.messagingengine.com",
  "gmail.com": "_spf.google.com",
  "mailgun.org": "mailgun.org",
  "office365.com": "spf.protection.outlook.com",
  "postmarkapp.com": "spf.mtasv.net",
  "sendgrid.net": "sendgrid.net",
};

function spf(resolver: Resolver, { domain, smtpHost }: DnsAsked): Promise<Found> {
  const title = `SPF of ${domain}`;
  const provider = Object.entries(includes).find(([end]) => smtpHost?.endsWith(end))?.[1];
  const value = `v=spf1 include:${provider ?? "<what your mail provider names>"} -all`;
  const record: DnsRecord = { name: domain, type: "TXT", value };
  return answered(title, async () => {
    const found = (await texts(resolver, domain)).filter((text) => /^v=spf1(\s|$)/i.test(text));
    const [own = ""] = found;
    if (found.length === 0) {
      const text = "There is no such record: receivers cannot tell who may send for the domain.";
      return { outcome: { state: "missing", title, text }, record };
    }
    if (found.length > 1) {
      const text = `There are ${found.length} records, and receivers then believe none. Make one of them: ${quoted(found)}`;
      return { outcome: { state: "missing", title, text } };
    }
    const fault = spfFault(own);
    const outcome: Seen = fault
      ? { state: fault.state, title, text: `${fault.text} It is: ${own}` }
      : { state: "good", title, text: own };
    return { outcome };
  });
}

/** Receivers stop at ten; what an included record asks for is not counted here. */
const mostLookups = 10;

function spfFault(record: string): Pick<Seen, "state" | "text"> | null {
  const terms = record.toLowerCase().split(/\s+/).slice(1);
  const lookups = terms.filter((term) =>
    /^[+?~-]?(include:|a([:/]|$)|mx([:/]|$)|ptr|exists:|redirect=)/.test(term),
  );
  if (lookups.length > mostLookups)
    return {
      state: "missing",
      text: `It asks for ${lookups.length} other records; 10 are allowed.`,
    };
  const all = terms.find((term) => /^[+?~-]?all$/.test(term));
  if (!all && !terms.some((term) => term.startsWith("redirect=")))
    return { state: "missing", text: "Its end is missing: -all or ~all." };
  if (all === "+all" || all === "all")
    return { state: "missing", text: "Its end allows anybody to send: write -all or ~all." };
  return all === "?all"
    ? { state: "look", text: "Its end says nothing: write -all or ~all." }
    : null;
}

function dkim(resolver: Resolver, { domain, selector }: DnsAsked): Promise<Found> {
  const title = `DKIM of ${domain}`;
  if (!selector) {
    const text =
      "Its name is your provider's choice. Look it up there, then: npm run doctor -- --dkim NAME";
    return Promise.resolve({ outcome: { state: "look", title, text } });
  }
  const name = `${selector}._domainkey.${domain}`;
  return answered(title, async () => {
    const found = (await texts(resolver, name)).filter((text) => /\bp=/.test(text));
    const [own = ""] = found;
    if (found.length === 0) {
      const text = `There is no key at ${name}: emails are not signed. Your provider shows the record.`;
      const value = "v=DKIM1; k=rsa; p=<the key that your mail provider shows>";
      return {
        outcome: { state: "missing", title, text },
        record: { name, type: "TXT", value },
      };
    }
    if (found.length > 1)
      return {
        outcome: { state: "missing", title, text: `There are ${found.length} keys at ${name}.` },
      };
    return { outcome: { ...judgedKey(tagsOf(own)), title } };
  });
}

const tagsOf = (record: string): Record<string, string> =>
  Object.fromEntries(
    record.split(";").map((tag) => {
      const [name = "", ...value] = tag.split("=");
      return [name.trim().toLowerCase(), value.join("=").trim()];
    }),
  );

function judgedKey({ k = "rsa", p = "" }: Record<string, string>): Pick<Seen, "state" | "text"> {
  const key = p.replaceAll(/\s/g, "");
  if (key === "") return { state: "missing", text: "The key was taken back: the record is empty." };
  if (k === "ed25519") return { state: "good", text: "There is a key (Ed25519)." };
  try {
    const der = Buffer.from(key, "base64");
    const bits =
      createPublicKey({ key: der, format: "der", type: "spki" }).asymmetricKeyDetails
        ?.modulusLength ?? 0;
    if (bits < 1024) return { state: "missing", text: `The key has ${bits} bits: too few.` };
    return bits < 2048
      ? { state: "look", text: `The key has ${bits} bits; 2048 are usual now.` }
      : { state: "good", text: `There is a key of ${bits} bits.` };
  } catch {
    return { state: "missing", text: "The key cannot be read: was all of it copied?" };
  }
}

function dmarc(resolver: Resolver, { domain, contact }: DnsAsked): Promise<Found> {
  const title = `DMARC of ${domain}`;
  // Reports to another domain need a record there.
  const reports = contact.endsWith(`@${domain}`) ? `; rua=mailto:${contact}` : "";
  const value = `v=DMARC1; p=quarantine${reports}`;
  const record: DnsRecord = { name: `_dmarc.${domain}`, type: "TXT", value };
  return answered(title, async () => {
    for (const name of withParents(domain)) {
      const found = (await texts(resolver, `_dmarc.${name}`)).filter((text) =>
        /^v=DMARC1\b/i.test(text),
      );
      if (found.length > 1) {
        const text = `There are ${found.length} records at _dmarc.${name}, and receivers then believe none.`;
        return { outcome: { state: "missing", title, text } };
      }
      if (found[0]) return judgedPolicy(title, found[0], name === domain ? record : undefined);
    }
    const text = "There is no such record: large receivers refuse or hide such emails.";
    return { outcome: { state: "missing", title, text }, record };
  });
}

/** 'mail.example.com', 'example.com'. */
function withParents(domain: string): string[] {
  const labels = domain.split(".");
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join("."));
}

function judgedPolicy(title: string, text: string, record: DnsRecord | undefined): Found {
  const { p = "" } = tagsOf(text);
  if (/^(quarantine|reject)$/i.test(p)) return { outcome: { state: "good", title, text } };
  const own = record && { record };
  if (/^none$/i.test(p))
    return {
      outcome: {
        ...{ state: "look", title },
        text: `Its policy is p=none: forgeries arrive. Take p=quarantine once your own emails pass. It is: ${text}`,
      },
      ...own,
    };
  const says = `It has no policy (p=quarantine or p=reject). It is: ${text}`;
  return { outcome: { state: "missing", title, text: says }, ...own };
}

function mx(resolver: Resolver, { domain }: DnsAsked): Promise<Found> {
  const title = `MX of ${domain}`;
  return answered(title, async () => {
    const found = await orNone(resolver.resolveMx(domain));
    const names = found.map(({ exchange }) => exchange).filter((name) => name !== "");
    if (names.length > 0)
      return { outcome: { state: "good", title, text: quoted(names.toSorted()) } };
    const text = "No mail server takes emails for the domain: nothing can be answered or returned.";
    return { outcome: { state: "look", title, text } };
  });
}

/** Some of them: what is printed is bounded. */
const quoted = (list: readonly string[]) =>
  list
    .slice(0, 4)
    .map((text) => text.slice(0, 300))
    .join(", ");
