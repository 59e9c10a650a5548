export type ProviderConfig = {
  /** Made of the issuer, so that in URLs and in `accounts` it never means another provider. */
  id: string;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
};

type Present = Record<string, string | undefined>;

const parts = ["ISSUER", "CLIENT_ID", "CLIENT_SECRET", "NAME"] as const;
// OIDC_ISSUER; of a second provider OIDC_2_ISSUER, and so on.
const variable = new RegExp(`^(OIDC_(?:(?:[2-9]|[1-9][0-9])_)?)(?:${parts.join("|")})$`);

export function readProviders(present: Present): { providers: ProviderConfig[]; lines: string[] } {
  const lines: string[] = [];
  const providers = googleOf(present);
  for (const prefix of prefixesOf(present, lines)) {
    const provider = providerOf(present, prefix, lines);
    if (!provider) continue;
    if (providers.some(({ id }) => id === provider.id))
      lines.push(`${prefix}ISSUER: another provider has this address already`);
    providers.push(provider);
  }
  return { providers, lines };
}

function googleOf({ GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret }: Present) {
  const issuer = "https://accounts.google.com";
  return clientId && clientSecret
    ? [{ id: "google", name: "Google", issuer, clientId, clientSecret }]
    : [];
}

function prefixesOf(present: Present, lines: string[]): string[] {
  const prefixes = new Set<string>();
  for (const name of Object.keys(present).filter((key) => key.startsWith("OIDC_"))) {
    const [, prefix] = variable.exec(name) ?? [];
    if (prefix) prefixes.add(prefix);
    else
      lines.push(
        `${name}: there is no such setting; a provider has OIDC_${parts.join(", OIDC_")}, a second one OIDC_2_ISSUER and so on`,
      );
  }
  return [...prefixes].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

function providerOf(present: Present, prefix: string, lines: string[]): ProviderConfig | null {
  const [issuer, clientId, clientSecret, name] = parts.map((part) => present[prefix + part]);
  const before = lines.length;
  const set = parts.map((part) => prefix + part).find((key) => present[key]);
  for (const part of ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"])
    if (!present[prefix + part]) lines.push(`${prefix}${part}: is needed because ${set} is set`);
  const mistake = issuer && mistakeIn(issuer);
  if (mistake) lines.push(`${prefix}ISSUER: ${mistake}`);
  if (name && name.length > 40) lines.push(`${prefix}NAME: must have at most 40 characters`);
  if (!issuer || !clientId || !clientSecret || lines.length > before) return null;
  return {
    id: idOf(issuer),
    name: name ?? new URL(issuer).hostname,
    issuer,
    clientId,
    clientSecret,
  };
}

function mistakeIn(issuer: string): string | null {
  const url = URL.canParse(issuer) ? new URL(issuer) : null;
  const isHere = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol !== "https:" && !(isHere && url.protocol === "http:"))
    return "must be an address like https://…";
  return url.search || url.hash || url.username
    ? "must be an address without '?', '#' and user names"
    : null;
}

// 'login.example.com/main' becomes 'login-example-com-main'.
function idOf(issuer: string): string {
  const { host, pathname } = new URL(issuer);
  return `${host}${pathname}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
