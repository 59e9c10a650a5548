import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { base64url, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openIdProvider } from "./provider.ts";

// What a certified provider never answers. tests/http/providers has a real one.

const clientId = "123-abc.apps.example";
const clientSecret = "a secret: with-signs_&.letters";
const visit = {
  codeVerifier: "v".repeat(64),
  nonce: "this-visit",
  redirectUri: "https://site.example/back",
};
const keys = await generateKeyPair("RS256");
const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "RS256" };

const server = createServer(async (request, response) => {
  const path = request.url ?? "";
  if (path === "/token") asked = { headers: request.headers, body: await text(request) };
  const body = path.endsWith("openid-configuration")
    ? { ...description(), ...described }
    : path === "/keys"
      ? { keys: [jwk] }
      : { access_token: "a", token_type: "Bearer", id_token: idToken };
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
});
let issuer: string;
let idToken: string;
let described: object;
let asked: { headers: IncomingHttpHeaders; body: string };

const description = () => ({
  issuer,
  authorization_endpoint: `${issuer}/auth`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  id_token_signing_alg_values_supported: ["RS256", "HS256", "none"],
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  described = {};
});

function claims(others: JWTPayload = {}): JWTPayload {
  const now = Math.floor(Date.now() / 1000);
  const usual = { iss: issuer, aud: clientId, sub: "ada", email: "Ada@Example.com" };
  return { ...usual, nonce: visit.nonce, iat: now, exp: now + 60, ...others };
}
const signed = (payload: JWTPayload) =>
  new SignJWT(payload).setProtectedHeader({ alg: "RS256", kid: "one" }).sign(keys.privateKey);
const provider = (address = issuer) =>
  openIdProvider({ id: "one", name: "One", issuer: address, clientId, clientSecret });
const identify = (iss?: string) => provider().identify("the-code", iss, visit);

describe("openIdProvider", () => {
  test("takes a token that is signed, for this site and for this visit", async () => {
    idToken = await signed(claims());
    const expected = { subject: "ada", email: "ada@example.com", emailVerified: false };
    expect(await identify()).toMatchObject(expected);
    idToken = await signed(claims({ aud: [clientId, "another"], azp: clientId }));
    expect(await identify(issuer)).toMatchObject(expected);
  });

  test("refuses a token without a signature, or signed with the client secret", async () => {
    const parts = [{ alg: "none" }, claims()].map((part) => base64url.encode(JSON.stringify(part)));
    idToken = `${parts.join(".")}.`;
    await expect(identify()).rejects.toThrow();
    idToken = await new SignJWT(claims())
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(clientSecret));
    await expect(identify()).rejects.toThrow();
  });

  test.each<[string, JWTPayload]>([
    ["for another site as well", { aud: [clientId, "another"] }],
    ["for another site, given to this one", { azp: "another" }],
    ["without a subject", { sub: undefined }],
    ["without an end", { exp: undefined }],
    ["without the visit", { nonce: undefined }],
    ["of two minutes ago", { exp: Math.floor(Date.now() / 1000) - 120 }],
  ])("refuses a token %s", async (_, others) => {
    idToken = await signed(claims(others));
    await expect(identify()).rejects.toThrow();
  });

  test("sends id and secret with '-', '_' and '.' as they are", async () => {
    idToken = await signed(claims());
    await identify();
    expect(atob(asked.headers.authorization?.slice("Basic ".length) ?? "")).toBe(
      `${clientId}:a+secret%3A+with-signs_%26.letters`,
    );
    described = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
    await identify();
    expect(asked.headers.authorization).toBeUndefined();
    expect(Object.fromEntries(new URLSearchParams(asked.body))).toMatchObject({
      client_id: clientId,
      client_secret: clientSecret,
      code_verifier: visit.codeVerifier,
    });
  });

  test("knows a provider whose address is set with a slash at its end, and no other", async () => {
    expect((await provider(`${issuer}/`).address(visit)).pathname).toBe("/auth");
    described = { issuer: "https://another.example" };
    await expect(provider().address(visit)).rejects.toThrow();
  });
});
