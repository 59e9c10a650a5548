import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { missingInOldest } from "../../scripts/structure/browsers.ts";

const client = path.join(import.meta.dirname, "..", "..", "build", "client");

/** Guarded by a test that the check cannot see, or a method of an object of the library's own. */
const allowed = new Map([
  [".cancelWatchAvailability", "media-chrome: only where media has `remote`"],
  [".changed", "ours: the autosave of a lesson"],
  [".createContext", "React"],
  [".dispatch", "media-chrome's store"],
  [".drop", "ours: forgets a draft of this device"],
  [".equals", "the library `diff`"],
  [".exitPictureInPicture", "media-chrome: only while a picture is in the picture"],
  [".forget", "ours: an upload that is given up"],
  [".format", "of Intl"],
  [".getAuthenticatorData", "simplewebauthn: asks for its type before"],
  [".getPublicKey", "simplewebauthn: asks for its type before"],
  [".getPublicKeyAlgorithm", "simplewebauthn: asks for its type before"],
  [".getTransports", "simplewebauthn: asks for its type before"],
  [".requestPictureInPicture", "media-chrome: asks for it before"],
  [".retry", "ours: plays again after an error"],
  [".skipTransition", "React and its router: only of a transition that was started"],
  [".startViewTransition", "React: within `try`; its router asks for its type before"],
  [".toArray", "dnd-kit's list"],
  [".use", "React"],
  [".watchAvailability", "media-chrome: only where media has `remote`"],
  ["navigation", "React: asks for its type before"],
  ...[
    ...[".allocationSize", ".configure", ".copyTo", ".dispose", ".getName", ".getType", ".packets"],
    ...[".resize", ".seek", "AudioData", "AudioDecoder", "AudioEncoder", "EncodedAudioChunk"],
    ...["EncodedVideoChunk", "VideoDecoder", "VideoEncoder", "VideoFrame"],
  ].map(
    (name) => [name, "mediabunny: its own, or of WebCodecs, which is asked for before"] as const,
  ),
  ["Uint8Array.fromBase64", "js-base64 of tus: asks for its type before"],
]);

test("what is shipped calls nothing that the oldest supported browsers lack", () => {
  const found = readdirSync(client, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .flatMap((file) => missingInOldest(readFileSync(path.join(client, file), "utf8")));
  // Whatever is no longer found needs no reason.
  expect([...new Set(found)].sort()).toEqual([...allowed.keys()].sort());
});

test.each([
  ["fetch(url, { signal: AbortSignal.any([one, other]) })", ["AbortSignal.any"]],
  ["if (button?.checkVisibility()) button.focus()", [".checkVisibility"]],
  ["cookieStore.get('theme'); new URLPattern({})", ["cookieStore", "URLPattern"]],
  ["menu.matches(':popover-open') || menu.querySelector('a:has(b)')", [":popover-open", ":has"]],
  ["button.checkVisibility?.(); AbortSignal.any?.([one]); AbortSignal.timeout(5)", []],
  [
    "[3, 1].toSorted().at(-1); structuredClone({}); menu.matches('[a=\"b:has\"] :focus-visible')",
    [],
  ],
])("of %j it finds %j", (script, expected) => {
  expect(missingInOldest(script)).toEqual(expected);
});
