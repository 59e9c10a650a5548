import { useEffect, useState } from "react";
import { Button } from "~/ui/button.tsx";
import { Prose } from "~/ui/prose.tsx";
import { adminIssuePath } from "../messages.ts";

const views = [
  { as: "phone", label: "Phone" },
  { as: "desktop", label: "Computer" },
  { as: "night", label: "Night" },
  { as: "text", label: "Plain text" },
  { as: "archive", label: "On the site" },
] as const;

type View = (typeof views)[number]["as"];

type Props = {
  issueId: string;
  subject: string;
  /** Changes with each save: what is shown is what is stored. */
  version: string;
};

/** An issue as it arrives, and as its page will be. */
export function IssuePreview({ issueId, subject, version }: Props) {
  const [view, setView] = useState<View>("phone");
  const address = (as: string) => `${adminIssuePath(issueId)}/preview?as=${as}&v=${version}`;
  return (
    <section className="preview-pane issue-preview" aria-label="Preview">
      {/* biome-ignore lint/a11y/useSemanticElements: buttons, no fields */}
      <div className="issue-views" role="group" aria-label="How it is shown">
        {views.map(({ as, label }) => (
          <Button
            key={as}
            variant={view === as ? "secondary" : "ghost"}
            size="sm"
            aria-pressed={view === as}
            onClick={() => setView(as)}
          >
            {label}
          </Button>
        ))}
      </div>
      {view === "archive" ? (
        <ArchivePreview title={subject} address={address("archive")} />
      ) : (
        <div className="issue-window" ref={tellScale}>
          <iframe
            className="issue-frame"
            data-view={view}
            src={address(view)}
            title={`The email: ${views.find(({ as }) => as === view)?.label}`}
          />
        </div>
      )}
    </section>
  );
}

const computerWidth = 680;

/** Tells the styles what part of a computer's width this has, at most 1. */
function tellScale(element: HTMLDivElement | null) {
  if (!element) return;
  const observer = new ResizeObserver(() => {
    const scale = Math.min(1, element.clientWidth / computerWidth);
    element.style.setProperty("--scale", String(scale));
  });
  observer.observe(element);
  return () => observer.disconnect();
}

function ArchivePreview({ title, address }: { title: string; address: string }) {
  const [html, setHtml] = useState("");
  useEffect(() => {
    const ended = new AbortController();
    fetch(address, { signal: ended.signal })
      .then((response) => (response.ok ? response.json() : null))
      .then((page: { html: string } | null) => page && setHtml(page.html))
      // What was shown before stays.
      .catch(() => {});
    return () => ended.abort();
  }, [address]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
    <div className="issue-frame issue-page" tabIndex={0}>
      <p className="preview-title">{title}</p>
      <Prose html={html} endMark />
    </div>
  );
}
