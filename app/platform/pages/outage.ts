import { sentFields } from "../http/body.ts";
import { isFromScript } from "../http/flash.ts";
import { plainPage } from "../http/plain-page.ts";
import { errorResponse, wantsJson } from "../utils/errors.ts";
import { escapeHtml } from "../utils/html.ts";

export const retryAfter = "10";

/** Fields that a user types: shown with these labels. All others go along unseen. */
const labels: Readonly<Record<string, string>> = {
  ...{ name: "Name", firstName: "First name", email: "Email", who: "Student" },
  ...{ title: "Title", slug: "Slug", description: "Description", price: "Price" },
  ...{ orderNum: "Order number", dripDay: "Opens on day", content: "Content", prompts: "Prompts" },
  ...{
    alt: "What the picture shows",
    answer: "Your answer",
    subject: "Subject",
    text: "Text",
    reason: "Reason",
    from: "Old address",
    other: "Another address",
    where: "Where did they sign up?",
  },
  ...{ preview: "The line beside the subject", body: "Text", address: "Email address" },
  ...{ note: "Why", since: "Readers since", at: "Day and time", portion: "Per cent" },
  ...{ welcomeDay: "Days after they confirm" },
};
const secrets: Readonly<Record<string, string>> = {
  ...{ current: "Current password", password: "Password", code: "Code" },
};

const title = "The site cannot answer just now";

/** Says that the site cannot answer, as JSON or with the form that was sent, to be sent again: the
 * page that it came from may need the database. */
export async function outageAnswer(request: Request): Promise<Response> {
  const answer = wantsJson(request)
    ? errorResponse("unavailable", `${title}. Please try again in a minute.`)
    : await outagePage(request);
  answer.headers.set("Retry-After", retryAfter);
  return answer;
}

async function outagePage(request: Request): Promise<Response> {
  const text = "Please try again in a minute. Nothing that you wrote is lost.";
  const isForm = request.method === "POST" && !isFromScript(request);
  const fields = isForm ? await sentFields(request) : [];
  const { pathname, search } = new URL(request.url);
  const form = fields.length > 0 ? formAgain(pathname + search, fields) : "";
  return plainPage(503, title, text, form);
}

function formAgain(action: string, fields: [string, string][]): string {
  const controls = fields.map(([name, value], at) => {
    const [before, question] = fields[at - 1] ?? [];
    const label = name === "answer" && before === "question" ? question : labels[name];
    return controlOf(name, value, label, `field-${at}`);
  });
  return `<form method="post" action="${escapeHtml(action)}">
${controls.join("\n")}
<p><button>Send again</button></p>
</form>`;
}

function controlOf(name: string, value: string, label: string | undefined, id: string): string {
  const attributes = `id="${id}" name="${escapeHtml(name)}"`;
  const labelled = (words: string, control: string) =>
    `<p><label for="${id}">${escapeHtml(words)}</label>${control}</p>`;
  if (secrets[name])
    return labelled(secrets[name], `<input type="password" autocomplete="off" ${attributes}>`);
  const text = escapeHtml(value);
  if (!label) return `<input type="hidden" ${attributes} value="${text}">`;
  if (name !== "answer" && value.length <= 80 && !value.includes("\n"))
    return labelled(label, `<input ${attributes} value="${text}">`);
  // HTML drops the first line break of a text area.
  return labelled(label, `<textarea rows="8" ${attributes}>\n${text}</textarea>`);
}
