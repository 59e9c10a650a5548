/** The fields of a head or of one group of fields (RFC 5322), by their names in lower case. */
function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const [, name, value = ""] = /^([!-9;-~]{1,60}):\s*(.*)$/.exec(line) ?? [];
    if (name && !fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

const groupsOf = (text: string) =>
  text
    .split(/\r?\n[ \t]*\r?\n/)
    .filter((group) => group.trim() !== "")
    .map(fieldsOf);

/** `rfc822; ada@example.com`: the part behind the type. */
const typed = (value = "") => value.slice(value.indexOf(";") + 1).trim();

export type FailedDelivery = {
  action: string;
  status: string;
  /** To whom it was sent first, and where it was sent on to. */
  recipients: string[];
  said: string;
};

/** What a delivery status notification says of each recipient (RFC 3464). */
export function readDeliveryStatus(text: string): FailedDelivery[] {
  return groupsOf(text)
    .filter((fields) => fields.has("action"))
    .map((fields) => ({
      action: (fields.get("action") ?? "").toLowerCase(),
      status: /\d\.\d{1,3}\.\d{1,3}/.exec(fields.get("status") ?? "")?.[0] ?? "",
      recipients: [fields.get("original-recipient"), fields.get("final-recipient")]
        .map(typed)
        .filter((one) => one !== ""),
      said: typed(fields.get("diagnostic-code")),
    }));
}

const complaintTypes = new Set(["abuse", "fraud", "virus", "other", "opt-out", "opt-out-list"]);

/** Who complained by an abuse report (RFC 5965); null for one that says something else, such as
 * 'not-spam'. Providers often leave the address out. */
export function readFeedbackReport(text: string): { recipients: string[]; said: string } | null {
  const fields = fieldsOf(text.trimStart());
  const type = (fields.get("feedback-type") ?? "").toLowerCase();
  if (!complaintTypes.has(type)) return null;
  const recipients = [fields.get("original-rcpt-to"), fields.get("removal-recipient")]
    .map((value = "") => value.replace(/^rfc822;\s*|[<>]/gi, "").trim())
    .filter((one) => one !== "");
  return { recipients, said: `Reported as ${type}` };
}

const uuidPattern = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const issueEmail = new RegExp(`<(${uuidPattern})\\.(${uuidPattern})@[^<>\\s]*>`, "g");
const mostAnswered = 20;

/** The fields of a head that {@link readAnswer} looks at. */
export const answerFields = [
  ...["in-reply-to", "references", "auto-submitted", "precedence"],
  ...["return-path", "x-autoreply", "x-autorespond"],
];

/** Which emails of an issue a message answers, the one it names first; none where a machine wrote it:
 * an absence notice, a mailing list or a bounce (RFC 3834). */
export function readAnswer(head: string): { issueId: string; subscriberId: string }[] {
  const fields = fieldsOf(head.trimStart());
  const field = (name: string) => (fields.get(name) ?? "").toLowerCase();
  const isAutomatic =
    !/^(no\b|$)/.test(field("auto-submitted")) ||
    /bulk|junk|list|auto/.test(field("precedence")) ||
    field("return-path").replaceAll(" ", "") === "<>" ||
    fields.has("x-autoreply") ||
    fields.has("x-autorespond");
  if (isAutomatic) return [];
  const named = `${field("in-reply-to")} ${field("references")}`;
  return [...named.matchAll(issueEmail)]
    .slice(0, mostAnswered)
    .map(([, issueId = "", subscriberId = ""]) => ({ issueId, subscriberId }));
}

/** The Message-ID of an email, by the beginning of its source. */
export function messageIdOf(source: string): string | null {
  const [head = ""] = source.trimStart().split(/\r?\n\r?\n/, 1);
  return /<([^<>\s]{3,300})>/.exec(fieldsOf(head).get("message-id") ?? "")?.[1] ?? null;
}
