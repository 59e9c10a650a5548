import {
  type MarkedChange,
  shortened,
  wordDifferences,
} from "~/features/versions/differences.server.ts";
import type { Services } from "~/platform/http/services.ts";
import { findIssueVersion, type Issue } from "./issues.server.ts";

const labels = {
  subject: "Subject",
  preview: "The line beside the subject",
  body: "Text",
} as const;

/** A version beside what is stored now; null where there is none of this number. */
export async function compareIssue({ db }: Services, issue: Issue, number: number) {
  const version = await findIssueVersion(db.read, issue.id, number);
  if (!version) return null;
  const { words, who, createdAt } = version;
  const changes: MarkedChange[] = (["subject", "preview", "body"] as const)
    .filter((field) => words[field] !== issue[field])
    .map((field) => ({
      ...{ field, label: labels[field] },
      pieces: shortened(wordDifferences(issue[field], words[field])),
    }));
  return { number, who, createdAt, changes, seen: {} };
}
