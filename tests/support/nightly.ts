/**
 * Test files of `npm run test:nightly`: floods, gigabytes, slow lines, stores that fail, prose and
 * deployment files. They take long, say nothing of SQL, and rarely break with a change of the product.
 */
export const nightly: readonly string[] = [
  "tests/http/fuzz.test.ts",
  "tests/http/nobody-waits.test.ts",
  "tests/http/words.test.ts",
  "tests/http/doors/odd-addresses.test.ts",
  "tests/http/doors/slow.test.ts",
  "tests/http/journal/large.test.ts",
  "tests/http/uploads/full-disk.test.ts",
  "tests/http/uploads/interrupted.test.ts",
  "tests/http/uploads/large.test.ts",
  "tests/http/upkeep/compose.test.ts",
  "tests/http/upkeep/deploy.test.ts",
  "tests/http/upkeep/faltering-store.test.ts",
  "tests/http/upkeep/long-texts.test.ts",
  "tests/http/upkeep/security-docs.test.ts",
];
