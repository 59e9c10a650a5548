import { ButtonLink } from "~/ui/button.tsx";
import { methodsPath } from "../texts.ts";

type Linked = { id: string; name: string; email: string | null; since: string; canGo: boolean };

/** The providers that somebody signs in with, each with the way to unlink it. */
export function LinkedList({ linked }: { linked: Linked[] }) {
  return (
    <ul className="grid">
      {linked.map(({ id, name, email, since, canGo }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line py-4 first:border-t"
        >
          <div className="min-w-0">
            <p className="font-medium">{name}</p>
            {email && <p className="text-sm text-ink-soft">{email}</p>}
            <p className="text-sm text-ink-soft">{`Since ${since}`}</p>
          </div>
          {canGo ? (
            <ButtonLink
              href={`${methodsPath}?unlink=${id}`}
              variant="outline"
              size="sm"
              aria-label={`Unlink ${name}`}
            >
              Unlink
            </ButtonLink>
          ) : (
            <p className="text-sm text-ink-soft">Your only way in</p>
          )}
        </li>
      ))}
    </ul>
  );
}
