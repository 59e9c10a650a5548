import { render, toPlainText } from "@react-email/render";
import type { ReactElement } from "react";

/** A mail template as HTML, with the plain-text part made from it. */
export async function renderMail(element: ReactElement): Promise<{ html: string; text: string }> {
  const html = await render(element);
  return { html, text: toPlainText(html) };
}
