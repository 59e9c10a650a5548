import { expect, test } from "vitest";
import { messageIdOf, readDeliveryStatus, readFeedbackReport } from "./delivery-reports.ts";
import { ratesInWords } from "./messages.ts";
import { addressKey, cleanDetail, exceeded, isAboutAddress } from "./rules.ts";

test.each([
  [{ sent: 100, bounced: 5, complained: 0 }, false, false],
  [{ sent: 100, bounced: 6, complained: 1 }, true, false],
  [{ sent: 20, bounced: 4, complained: 1 }, false, false],
  [{ sent: 2000, bounced: 0, complained: 2 }, false, false],
  [{ sent: 1999, bounced: 0, complained: 2 }, false, true],
  [{ sent: 0, bounced: 5, complained: 2 }, true, true],
])("exceeded: of %o", (rates, bounces, complaints) => {
  expect(exceeded(rates)).toEqual({ bounces, complaints });
});

test("ratesInWords: counts with their shares", () => {
  expect(ratesInWords({ sent: 1204, bounced: 14, complained: 1 }, 30)).toBe(
    "Of 1,204 emails in the last 30 days, 14 bounced (1.16%) and one was reported as spam (0.08%).",
  );
  expect(ratesInWords({ sent: 1, bounced: 0, complained: 2 }, 30)).toBe(
    "Of one email in the last 30 days, none bounced and 2 were reported as spam.",
  );
});

test.each([
  [" Ada@Example.COM\n", "ada@example.com"],
  ["ada@müller.example", "ada@müller.example"],
  ["ada", null],
  ["ada@b@c", null],
  ["a b@example.com", null],
  ["ada\0@example.com", null],
  ["\ud800@example.com", null],
  ["ada@example.com,eve@example.com", null],
  [`${"a".repeat(250)}@example.com`, null],
])("addressKey: %j", (text, key) => {
  expect(addressKey(text)).toBe(key);
});

test.each([
  ["5.1.1", true],
  ["5.0.0", true],
  ["5.4.4", true],
  ["5.2.2", false],
  ["5.7.26", false],
  ["5.4.5", false],
  ["4.2.2", false],
  ["", false],
])("isAboutAddress: %s", (status, isAbout) => {
  expect(isAboutAddress(status)).toBe(isAbout);
});

test("cleanDetail: one line that any database takes", () => {
  expect(cleanDetail("smtp; 550\r\n 5.1.1\0 \ud800 no")).toBe("550 5.1.1 \ufffd no");
  expect(cleanDetail(" \n")).toBeNull();
  expect(cleanDetail("a".repeat(900))).toHaveLength(500);
});

test("readDeliveryStatus: each recipient, with folded lines and in any order", () => {
  const text =
    "Reporting-MTA: dns; mx\n\nAction: Delayed\nFinal-Recipient: RFC822;a@b.c\nStatus: 4.4.1\n\n" +
    "final-recipient: rfc822; d@e.f\nORIGINAL-RECIPIENT: rfc822;g@h.i\naction: failed\n" +
    "status: 5.1.1 (no\n\tsuch user)\nDiagnostic-Code: smtp; 550 no\n such user\n";
  expect(readDeliveryStatus(text)).toEqual([
    { action: "delayed", status: "4.4.1", recipients: ["a@b.c"], said: "" },
    { action: "failed", status: "5.1.1", recipients: ["g@h.i", "d@e.f"], said: "550 no such user" },
  ]);
});

test("readFeedbackReport: who complained, and null for other kinds", () => {
  const report = (type: string) => `Feedback-Type: ${type}\nOriginal-Rcpt-To: <ada@b.c>\n`;
  expect(readFeedbackReport(report("abuse"))).toEqual({
    recipients: ["ada@b.c"],
    said: "Reported as abuse",
  });
  for (const type of ["not-spam", "dmarc", ""]) expect(readFeedbackReport(report(type))).toBeNull();
});

test("messageIdOf: of the head alone", () => {
  expect(messageIdOf("Subject: x\r\nMessage-Id:\r\n <one@b.c>\r\n\r\nMessage-ID: <two@b.c>")).toBe(
    "one@b.c",
  );
  expect(messageIdOf("Subject: x\n\nMessage-ID: <two@b.c>")).toBeNull();
});
