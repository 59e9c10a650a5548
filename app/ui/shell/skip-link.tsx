/** The first stop of the Tab key. The document's `<main id="main" tabIndex={-1}>` is its target. */
export function SkipLink({ target = "main" }: { target?: string }) {
  return (
    <a className="skip-link" href={`#${target}`}>
      Skip to content
    </a>
  );
}
