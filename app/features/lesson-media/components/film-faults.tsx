import type { listFilmFaults } from "../media-panel.server.ts";

type Props = { faults: Awaited<ReturnType<typeof listFilmFaults>>; isActive: boolean };

/** What to look at in a course before students come. */
export function FilmFaults({ faults, isActive }: Props) {
  if (faults.length === 0) return null;
  return (
    <ul
      className="unfinished"
      aria-label={isActive ? "Films to look at" : "Before you activate it"}
    >
      {faults.map(({ id, title, fault }) => (
        <li key={id}>
          <span>
            {isActive ? "" : "Before you activate it: "}“{title}”, {fault}.
          </span>{" "}
          <a href={`/admin/lessons/${id}#media`} aria-label={`Look at the film of “${title}”`}>
            Look at it
          </a>
        </li>
      ))}
    </ul>
  );
}
