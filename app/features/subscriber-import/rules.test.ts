import { describe, expect, test } from "vitest";
import {
  askAt,
  dateOf,
  delimiterOf,
  outcomeOf,
  readRow,
  recognizeColumns,
  recognizeService,
} from "./rules.ts";

const now = new Date("2026-11-21T12:00:00Z");

/** Headings and rows as the services export them; whom they leave in, with the day of consent. */
const exports: [service: string, lines: string[], expected: string[]][] = [
  [
    "Mailchimp",
    [
      "Email Address|First Name|Last Name|MEMBER_RATING|OPTIN_TIME|OPTIN_IP|CONFIRM_TIME|TIMEZONE",
      "ada@example.com|Ada|Lovelace|4||1.2.3.4|2023-04-01 10:11:12|Europe/London",
    ],
    ["ada@example.com Ada 2023-04-01"],
  ],
  [
    "Mailchimp",
    [
      "Email Address|First Name|MEMBER_RATING|OPTIN_TIME|UNSUB_TIME|UNSUB_REASON",
      "ada@example.com|Ada|2|2020-01-01 00:00:00|2021-01-01 00:00:00|N/A",
    ],
    ["ada@example.com Ada 2020-01-01 left"],
  ],
  [
    "Kit",
    [
      "id|first_name|email_address|status|created_at|tags",
      "1|Ada|ada@example.com|active|2022-02-03 04:05:06 UTC|x",
      "2|Bo|bo@example.com|cancelled|2022-02-03T04:05:06Z|",
      "3|Cy|cy@example.com|bounced|2022-02-03T04:05:06Z|",
    ],
    [
      "ada@example.com Ada 2022-02-03",
      "bo@example.com Bo 2022-02-03 left",
      "cy@example.com Cy 2022-02-03 left",
    ],
  ],
  [
    "Ghost",
    [
      "id|email|name|note|subscribed_to_emails|complimentary_plan|created_at|deleted_at|labels",
      "1|ada@example.com|Ada Lovelace||true|false|2021-05-06T07:08:09.000Z||",
      "2|bo@example.com|Bo||false|false|2021-05-06T07:08:09.000Z||",
      "3|cy@example.com|||true|false|2021-05-06T07:08:09.000Z|2022-01-01T00:00:00.000Z|",
    ],
    [
      "ada@example.com Ada 2021-05-06",
      "bo@example.com Bo 2021-05-06 left",
      "cy@example.com  2021-05-06 left",
    ],
  ],
  [
    "Substack",
    [
      "email|active_subscription|expiry|email_disabled|created_at",
      "ada@example.com|false||false|2024-01-02T03:04:05.678Z",
      "bo@example.com|true||true|2024-01-02T03:04:05.678Z",
    ],
    ["ada@example.com  2024-01-02", "bo@example.com  2024-01-02 left"],
  ],
  [
    "Kajabi",
    [
      "Name|Email|Subscribed|Created At",
      "Ada Lovelace|ada@example.com|Yes|Apr 1, 2023",
      "Bo|bo@example.com|No|04/25/2023",
    ],
    ["ada@example.com Ada 2023-04-01", "bo@example.com Bo 2023-04-25 left"],
  ],
];

test.each(exports)(
  "%s: its headings are recognized",
  (service, [head = "", ...lines], expected) => {
    const headings = head.split("|");
    expect(recognizeService(headings)).toBe(service);
    const columns = recognizeColumns(headings);
    if (!columns) throw new Error("no addresses were found");
    const rows = lines.map((line) => readRow(line.split("|"), columns, now));
    const said = rows.map(
      ({ email, firstName, consentAt, hasLeft }) =>
        `${email} ${firstName} ${consentAt?.toISOString().slice(0, 10)}${hasLeft ? " left" : ""}`,
    );
    expect(said).toEqual(expected);
  },
);

test("headings without addresses are recognized as such", () => {
  expect(recognizeColumns(["Contact", "Vorname"])).toBe(null);
  expect(recognizeService(["Contact", "Vorname"])).toBe(null);
});

test.each([
  ["Email,First Name\nada,x;y;z", ","],
  ['Email;"Name, given"\nada;x', ";"],
  ["Email\tName\nada\tx", "\t"],
  ["Email\nada", ","],
])("a delimiter is found (%#)", (text, delimiter) => expect(delimiterOf(text)).toBe(delimiter));

test.each([
  ["2023-04-01", "2023-04-01T00:00:00.000Z"],
  ["2023/4/1 9:05", "2023-04-01T09:05:00.000Z"],
  ["4/5/2023", "2023-04-05T00:00:00.000Z"],
  ["25/4/2023", "2023-04-25T00:00:00.000Z"],
  ["5.4.2023", "2023-04-05T00:00:00.000Z"],
  ["2023-02-30", null],
  ["2027-01-01", null],
  ["1970-01-01", null],
  ["0000-00-00 00:00:00", null],
  ["yes", null],
  ["7", null],
])("a date of consent: %s", (text, expected) =>
  expect(dateOf(text, now)?.toISOString() ?? null).toBe(expected),
);

describe("what becomes of an address", () => {
  const date = new Date("2023-04-01");
  test.each([
    [null, false, date, "confirm"],
    [null, false, null, "ask"],
    ["pending", false, date, "confirm"],
    ["pending", false, null, "waiting"],
    ["confirmed", false, date, "known"],
    ["unsubscribed", false, date, "left"],
    ["unsubscribed", false, null, "left"],
    [null, true, date, "suppressed"],
    ["confirmed", true, date, "suppressed"],
  ] as const)("%s, suppressed: %s (%#)", (status, isSuppressed, consentAt, expected) =>
    expect(outcomeOf({ status, isSuppressed }, consentAt)).toBe(expected),
  );
});

test("emails that ask are 200 an hour, also after those of an earlier file", () => {
  expect(askAt(0, null, now)).toEqual(now);
  expect(askAt(200, null, now)).toEqual(new Date(now.getTime() + 3600_000));
  const later = new Date(now.getTime() + 7200_000);
  expect(askAt(0, later, now).getTime()).toBe(later.getTime() + 18_000);
});
