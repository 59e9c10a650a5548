import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useState } from "react";
import { Input } from "~/ui/inputs.tsx";
import type { FoundPerson } from "../rules.ts";

const searchAddress = "/admin/students/search";
const pauseMs = 200;

export type Search = {
  people: FoundPerson[];
  /** The query of those results; null before the first answer. */
  words: string | null;
  failed: boolean;
};

/** Searches as the user types, debounced, dropping outdated answers. `words` null: no search. */
export function usePeople(words: string | null): Search {
  const [search, setSearch] = useState<Search>({ people: [], words: null, failed: false });
  useEffect(() => {
    if (words === null) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const people = await ask(words, controller.signal).catch(() => null);
      if (controller.signal.aborted) return;
      setSearch((before) =>
        people
          ? { people, words, failed: false }
          : { people: before.people, words: before.words, failed: true },
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [words]);
  return search;
}

async function ask(words: string, signal: AbortSignal): Promise<FoundPerson[]> {
  const address = `${searchAddress}?${new URLSearchParams({ q: words })}`;
  // After a sign-out the answer would redirect to the sign-in page.
  const response = await fetch(address, { signal, redirect: "error" });
  if (!response.ok) throw new Error(`answer ${response.status}`);
  return (await response.json()) as FoundPerson[];
}

// The server's limit; a full page may mean that there are more.
const most = 20;

export type PersonBoxProps = {
  name: string;
  start: string;
  focused: boolean;
  whenNobody: (typed: string) => ReactNode;
  ref?: Ref<HTMLInputElement>;
};

/** ARIA practices: editable combobox. Choosing fills in the address, just as without scripts. */
export function PersonBox({ name, start, focused, whenNobody, ref }: PersonBoxProps) {
  const id = useId();
  const [typed, setTyped] = useState(start);
  const [asks, setAsks] = useState(focused);
  const [chosen, setChosen] = useState<FoundPerson | null>(null);
  const [isWanted, setWanted] = useState(false);
  const [at, setAt] = useState(-1);
  const search = usePeople(asks && !chosen ? typed.trim() : null);
  const { people } = search;
  const isOpen = isWanted && people.length > 0;
  // Enter must not choose a result of an older query.
  const isFresh = search.words === typed.trim();
  const active = isOpen && isFresh ? Math.min(at, people.length - 1) : -1;
  useSeen(active < 0 ? null : `${id}-${active}`);

  const choose = (person: FoundPerson) => {
    setTyped(person.email);
    setChosen(person);
    setWanted(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const person = people[active];
    if (move) {
      setWanted(true);
      if (isOpen && isFresh) setAt((active + move + people.length) % people.length);
    } else if (event.key === "Enter" && person) choose(person);
    else if (event.key === "Escape" && isOpen) setWanted(false);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="person-box">
        <Input
          ref={ref}
          name={name}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={active < 0 ? undefined : `${id}-${active}`}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          autoFocus={focused}
          value={typed}
          onChange={(event) => {
            const { value } = event.target;
            setTyped(value);
            setChosen(null);
            setAsks(true);
            setWanted(true);
            // Enter selects the first result only after something was typed.
            setAt(value.trim() ? 0 : -1);
          }}
          onFocus={() => setAsks(true)}
          onClick={() => setWanted(!chosen)}
          onBlur={() => setWanted(false)}
          onKeyDown={onKeyDown}
        />
        <People id={id} people={people} isOpen={isOpen} active={active} onChoose={choose} />
      </div>
      <p role="status" className="field-hint">
        {chosen ? `${chosen.name} is chosen.` : resultText(search, typed.trim(), whenNobody)}
      </p>
    </>
  );
}

type PeopleProps = {
  id: string;
  people: FoundPerson[];
  isOpen: boolean;
  active: number;
  onChoose: (person: FoundPerson) => void;
};

function People({ id, people, isOpen, active, onChoose }: PeopleProps) {
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label="People"
      tabIndex={-1}
      className="person-list"
      hidden={!isOpen}
      // Focus stays in the field.
      onMouseDown={(event) => event.preventDefault()}
    >
      {people.map((person, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
        <div
          key={person.id}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          tabIndex={-1}
          className="person-item"
          onClick={() => onChoose(person)}
        >
          <span className="person-name">{person.name}</span>
          <span className="person-email">{person.email}</span>
        </div>
      ))}
    </div>
  );
}

function useSeen(id: string | null) {
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
}

function resultText(
  { people, words, failed }: Search,
  typed: string,
  whenNobody: (typed: string) => ReactNode,
) {
  if (failed) return "The search does not answer just now. The whole email address will do.";
  if (words === null) return null;
  if (people.length === 0 && words) return whenNobody(typed);
  if (people.length >= most) return `The first ${most} people: type on to find others`;
  return people.length === 1 ? "1 person found" : `${people.length} people found`;
}
