import type { Need } from "../needs.server.ts";

export function Needs({ needs }: { needs: Need[] }) {
  if (needs.length === 0) return <p className="text-ink-soft">Nothing at the moment.</p>;
  return (
    <ul className="admin-rows">
      {needs.map(({ id, words, href, link }) => (
        <li key={id}>
          <span className="min-w-0 wrap-anywhere">{words}</span>
          <a href={href} aria-label={`${link}: ${words}`}>
            {link}
          </a>
        </li>
      ))}
    </ul>
  );
}
