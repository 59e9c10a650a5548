import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useState } from "react";
import { Input } from "~/ui/input.tsx";
import type { FoundPerson } from "../schema.ts";
import { type Search, usePeople } from "./use-people.ts";

/** As many as the search gives at once: then there may be more. */
const most = 20;

export type PersonBoxProps = {
  name: string;
  /** What stands in it at first. */
  start: string;
  /** Somebody is typing into it already. */
  focused: boolean;
  /** What to offer when nobody is found. */
  whenNobody: (typed: string) => ReactNode;
  ref?: Ref<HTMLInputElement>;
};

/**
 * A field for somebody's address that looks for people while one types, by name or address (ARIA
 * practices: editable combobox with a list). Choosing one writes her address into it, so that the
 * form is the same as without scripts.
 */
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
  // What was found for other words is not what Enter asks for.
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
            // Enter takes the first one only where something was asked for.
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
        {chosen ? `${chosen.name} is chosen.` : told(search, typed.trim(), whenNobody)}
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

/** What the keys have come to is inside the list's window. */
function useSeen(id: string | null) {
  useEffect(() => {
    if (id) document.getElementById(id)?.scrollIntoView({ block: "nearest" });
  }, [id]);
}

function told(
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
