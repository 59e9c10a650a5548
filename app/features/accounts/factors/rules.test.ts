import { expect, test } from "vitest";
import { inGroups, readCode, shownCode, typedSecret } from "./rules.ts";

test.each([
  ["123456", { kind: "app", code: "123456" }],
  [" 123 456 ", { kind: "app", code: "123456" }],
  ["123-456", { kind: "app", code: "123456" }],
  ["123\u00a0456\u200b", { kind: "app", code: "123456" }],
  ["abcde-fghjk", { kind: "recovery", code: "abcdefghjk" }],
  ["ABCDE FGHJK", { kind: "recovery", code: "abcdefghjk" }],
  ["OIL00-00000", { kind: "recovery", code: "0110000000" }],
  ["", null],
  ["12345", null],
  ["1234567", null],
  ["１２３４５６", null],
  ["abcde-fghju", null],
  ["abcde-fghjkm", null],
])("'%s' is read as %o", (typed, read) => expect(readCode(typed)).toEqual(read));

test("codes and secrets are shown in groups", () => {
  expect(shownCode("abcdefghjk")).toBe("abcde-fghjk");
  expect(inGroups("ABCDEFGHIJ")).toBe("ABCD EFGH IJ");
  expect(inGroups("ABCDEFGH")).toBe("ABCD EFGH");
  expect(typedSecret("otpauth://totp/X:a%40b?secret=ABCDEFGH&issuer=X")).toBe("ABCD EFGH");
});
