import { maxPictureMegabytes } from "../messages.ts";

const problems = {
  offline: "The site cannot be reached just now. Please try again in a moment.",
  signedOut: "You are not signed in as an administrator here any more.",
  failed: "That did not work. Please try again in a moment.",
  large: `This picture is larger than ${maxPictureMegabytes} MB. Please make it smaller first.`,
};

/** Sends a form of pictures. @returns what the site answers, or why it did not take it */
export async function sendPicture<T>(form: FormData): Promise<{ done: T } | { problem: string }> {
  const file = form.get("file");
  if (file instanceof File && file.size > maxPictureMegabytes * 1e6)
    return { problem: problems.large };
  try {
    const response = await fetch("/admin/pictures", {
      method: "POST",
      body: form,
      headers: { accept: "application/json" },
      redirect: "manual",
    });
    if (response.type === "opaqueredirect") return { problem: problems.signedOut };
    const answer = await response.json().catch(() => null);
    if (response.ok && answer) return { done: answer as T };
    return { problem: answer?.error?.message ?? problems.failed };
  } catch {
    return { problem: problems.offline };
  }
}
