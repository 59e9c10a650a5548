import type { ReactNode } from "react";
import { removePath, renamePath } from "../texts.ts";

type Way = { id: string; name: string; added: string; used: string };

/** Apps or passkeys: what each is called, since when, when it was last used, and what can be done. */
export function WayList({ ways, kind }: { ways: Way[]; kind: "app" | "passkey" }) {
  return (
    <ul className="ways-in">
      {ways.map(({ id, name, added, used }) => (
        <li key={id}>
          <div className="min-w-0">
            <p className="font-[550] break-words">{name}</p>
            <p className="text-sm text-ink-soft">
              <span className="whitespace-nowrap">{added}.</span>{" "}
              <span className="whitespace-nowrap">{used}.</span>
            </p>
          </div>
          <div className="flex gap-5">
            <Way href={`${renamePath}?${kind}=${id}`} of={name}>
              Rename
            </Way>
            <Way href={`${removePath}?${kind}=${id}`} of={name}>
              Remove
            </Way>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Way({ href, of, children }: { href: string; of: string; children: ReactNode }) {
  return (
    <a href={href} className="way-act">
      {children}
      <span className="sr-only"> “{of}”</span>
    </a>
  );
}
