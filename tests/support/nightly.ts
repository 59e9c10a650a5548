/**
 * Test files of `npm run test:nightly`: floods, gigabytes, slow lines, stores that fail, prose and
 * deployment files. They take long, say nothing of SQL, and rarely break with a change of the product.
 */
export const nightly: readonly string[] = [
  "tests/http/fuzz.test.ts",
  "tests/http/expensive-requests.test.ts",
  "tests/http/site-content.test.ts",
  "tests/http/admin/lesson-limits.test.ts",
  "tests/http/security/odd-parameters.test.ts",
  "tests/http/security/sign-in-overload.test.ts",
  "tests/http/security/slow-clients.test.ts",
  "tests/http/journal/large-journal.test.ts",
  "tests/http/uploads/full-disk.test.ts",
  "tests/http/uploads/interrupted.test.ts",
  "tests/http/uploads/large.test.ts",
  "tests/http/operations/deployment-docs.test.ts",
  "tests/http/operations/unreliable-store.test.ts",
  "tests/http/operations/long-texts.test.ts",
  "tests/http/operations/security-docs.test.ts",
  "tests/http/operations/proxies.test.ts",
  "tests/http/operations/validators.test.ts",
];
