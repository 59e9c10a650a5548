import { describe, expect, test } from "vitest";
import { createPerson } from "../support/people.ts";
import { siteOfFile } from "../support/site.ts";

const site = siteOfFile();

const reading = "GET, HEAD";
const form = "GET, HEAD, POST";
const addresses: [string, string][] = [
  ["/", reading],
  ["/about", reading],
  ["/About", reading],
  ["/terms", reading],
  ["/courses", reading],
  ["/robots.txt", reading],
  ["/sitemap.xml", reading],
  ["/.well-known/security.txt", reading],
  ["/.well-known/change-password", reading],
  ["/newsletter/confirmed", reading],
  ["/about.data", reading],
  ["/healthz", reading],
  ["/media/course-audio/x.mp3", reading],
  ["/newsletter", form],
  ["/newsletter/confirm", form],
  ["/newsletter/unsubscribe", form],
  ["/mail-preferences", form],
  ["/mail-preferences/off", form],
  ["/courses/blue-dot-method", form],
  ["/courses/anything", form],
  ["/auth", form],
  ["/api/verify-admin", "POST"],
  ["/api/preferences", "POST"],
  ["/api/create-checkout", "POST"],
  ["/api/webhooks/stripe", "POST"],
  ["/api/webhooks/mail/postmark", "POST"],
  ["/admin/newsletter/recordings", "POST"],
  ["/courses/anything/learn/draft", "PUT, POST"],
];
const all = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

describe("a method that an address does not take is refused, with those that it takes (RFC 9110)", () => {
  test.each(addresses)("%s takes %s", async (address, allowed) => {
    for (const method of all) {
      const answer = await site.ask(address, { method });
      const got = [method, answer.status === 405, answer.headers.get("allow")];
      const isTaken = allowed.split(", ").includes(method);
      expect(got).toEqual([method, !isTaken, isTaken ? null : allowed]);
    }
  });

  test("the same for someone signed in", async () => {
    const as = await createPerson(site.services);
    for (const method of ["POST", "DELETE"]) {
      const { status, headers } = await site.ask("/about", { as, method });
      expect([status, headers.get("allow")]).toEqual([405, reading]);
    }
  });
});
