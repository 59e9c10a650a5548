import { expect, test } from "vitest";
import { commonHeaders } from "./security.ts";

test("subdomains are asked to be https only where the settings say so", () => {
  const header = (hstsSubdomains: boolean) =>
    commonHeaders({ appUrl: "https://grief.example", hstsSubdomains })["Strict-Transport-Security"];
  expect(header(false)).toBe("max-age=31536000");
  expect(header(true)).toBe("max-age=31536000; includeSubDomains");
});
