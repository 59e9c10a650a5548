import { describe, expect, test } from "vitest";
import { deviceName } from "./sessions.server.ts";

describe("a device in plain words", () => {
  test.each([
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
      "Firefox on Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15",
      "Safari on a Mac",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36",
      "Chrome on Android",
    ],
    ["<script>alert(1)</script>", "A browser"],
    ["", "A browser"],
    [null, "A browser"],
  ])("%s", (userAgent, words) => expect(deviceName(userAgent)).toBe(words));
});
