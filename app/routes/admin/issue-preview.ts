import { requireAdmin } from "~/features/auth/require-admin.server.ts";
import { getIssue } from "~/features/newsletter-issues/issues.server.ts";
import { issueMessages } from "~/features/newsletter-issues/messages.ts";
import { previewIssue, renderIssueHtml } from "~/features/newsletter-issues/render-issue.server.ts";
import { servicesOf } from "~/platform/http/context.ts";
import { MarkdownRefused } from "~/platform/markdown/refusal.ts";
import { refusedJson } from "~/platform/utils/errors.ts";
import { escapeHtml } from "~/platform/utils/html.ts";
import type { Route } from "./+types/issue-preview.ts";

// The email has its styles in itself, and may load the site's own pictures and nothing else.
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

const page = (html: string) =>
  new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": policy,
      "X-Frame-Options": "SAMEORIGIN",
    },
  });

const dark = "@media (prefers-color-scheme: dark)";

/** The email as it is stored, for the frame of its editor. `?as=night` shows what dark mode makes of it,
 * `text` the plain text; `archive` is the HTML of its page, as JSON. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { name } = requireAdmin(context, url);
  const services = servicesOf(context);
  const as = url.searchParams.get("as");
  try {
    const issue = await getIssue(services.db.read, params.id);
    if (as === "archive")
      return Response.json({ html: await renderIssueHtml(services, issue.body) });
    const { html, text } = await previewIssue(services, issue, name);
    if (as === "text")
      return page(
        `<!doctype html><title>Plain text</title><pre style="white-space:pre-wrap;font:15px/1.5 monospace;margin:16px;overflow-wrap:anywhere">${escapeHtml(text)}</pre>`,
      );
    return page(
      as === "night"
        ? html.replaceAll(dark, "@media all")
        : html.replaceAll(dark, "@media not all"),
    );
  } catch (error) {
    if (error instanceof MarkdownRefused && as !== "archive")
      return page(
        `<!doctype html><title>No preview</title><p style="font:16px/1.5 sans-serif;margin:16px">${issueMessages.textRefused}</p>`,
      );
    return refusedJson(error);
  }
}
