/**
 * A heading that breaks between its phrases before it breaks inside one: each part up to a comma,
 * colon or full stop keeps together where the line has room for it.
 */
export function Phrases({ children }: { children: string }) {
  return children.split(/(?<=[,:;.])\s+/).map((phrase, at) => (
    <span key={phrase} className="phrase">
      {at > 0 && " "}
      {phrase}
    </span>
  ));
}
