/** A course in a few words each, for whoever reads no further. */
export function AtAGlance({ facts }: { facts: readonly string[] }) {
  return (
    <ul
      aria-label="At a glance"
      className="mb-6 lg:mb-10 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4"
    >
      {facts.map((fact) => (
        <li
          key={fact}
          className="border-t border-line py-4 font-serif text-lg text-balance lg:pt-5"
        >
          {fact}
        </li>
      ))}
    </ul>
  );
}
