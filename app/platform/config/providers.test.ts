import { expect, test } from "vitest";
import { readProviders } from "./providers.ts";

const one = {
  OIDC_ISSUER: "https://login.example.com/realms/main",
  OIDC_CLIENT_ID: "site",
  OIDC_CLIENT_SECRET: "secret",
};

test("Google and any number of others, in their order, each under a name of its own", () => {
  const { providers, lines } = readProviders({
    ...one,
    OIDC_10_ISSUER: "https://ten.example.com",
    OIDC_10_CLIENT_ID: "ten",
    OIDC_10_CLIENT_SECRET: "secret",
    OIDC_10_NAME: "Ten",
    OIDC_2_ISSUER: "http://127.0.0.1:4000/",
    OIDC_2_CLIENT_ID: "two",
    OIDC_2_CLIENT_SECRET: "secret",
    OIDC_2_NAME: "Two",
    GOOGLE_CLIENT_ID: "a",
    GOOGLE_CLIENT_SECRET: "b",
  });
  expect(lines).toEqual([]);
  expect(providers.map(({ id, name }) => [id, name])).toEqual([
    ["google", "Google"],
    ["login-example-com-realms-main", "login.example.com"],
    ["127-0-0-1-4000", "Two"],
    ["ten-example-com", "Ten"],
  ]);
});

test.each<[Record<string, string>, string[]]>([
  [{ OIDC_NAME: "One" }, ["ISSUER", "CLIENT_ID", "CLIENT_SECRET"].map(needed("OIDC_NAME"))],
  [{ ...one, OIDC_CLIENT_SECRET: "" }, [needed("OIDC_ISSUER")("CLIENT_SECRET")]],
  [
    { ...one, OIDC_ISSUER: "http://login.example.com" },
    ["OIDC_ISSUER: must be an address like https://…"],
  ],
  [{ ...one, OIDC_ISSUER: "login" }, ["OIDC_ISSUER: must be an address like https://…"]],
  [
    { ...one, OIDC_ISSUER: "https://login.example.com?a=b" },
    ["OIDC_ISSUER: must be an address without '?', '#' and user names"],
  ],
  [{ ...one, OIDC_NAME: "n".repeat(41) }, ["OIDC_NAME: must have at most 40 characters"]],
  [
    { OIDC_CLIENTID: "site" },
    [
      "OIDC_CLIENTID: there is no such setting; a provider has OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_NAME, a second one OIDC_2_ISSUER and so on",
    ],
  ],
  [
    { ...one, OIDC_2_ISSUER: one.OIDC_ISSUER, OIDC_2_CLIENT_ID: "b", OIDC_2_CLIENT_SECRET: "c" },
    ["OIDC_2_ISSUER: another provider has this address already"],
  ],
])("a mistake is one line: %o", (env, expected) => {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  expect(readProviders(present).lines).toEqual(expected);
});

function needed(because: string) {
  return (part: string) => `OIDC_${part}: is needed because ${because} is set`;
}
