import type { ReactNode } from "react";
import { Button } from "~/ui/button.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/input.tsx";
import type { SlugAnswer } from "../slugs/queries.server.ts";
import { longestSlug, slugTexts } from "../slugs/texts.ts";
import { useSlug } from "./use-slug.ts";

type Props = {
  kind: "course" | "lesson";
  /** What is being edited: it may keep its own. */
  id?: string | undefined;
  defaultValue?: string | undefined;
  error?: string | undefined;
  /** A free one, from whoever refused the form. */
  proposal?: string | undefined;
  /** Of what is edited: when it was saved, the slug no longer follows the title. */
  revision?: number;
  readOnly?: boolean;
  hint?: ReactNode;
  /** Names of the fields of the same form that it is made from. */
  titleName?: string;
  moduleName?: string;
};

/**
 * The field `slug` of a form. Until somebody types in it, it follows the title; whatever stands
 * in it is checked while it is typed. Without scripts it is a plain field.
 */
export function SlugField(props: Props) {
  const { kind, defaultValue, error, proposal, readOnly, hint } = props;
  const { input, answer, use } = useSlug(props);
  const offered = answer ? (answer.free ? null : answer.proposal) : proposal;
  const complaint = answer ? complaintOf(kind, answer) : error;
  return (
    <div>
      <Field label="Slug" hint={hint} error={complaint}>
        <Input
          ref={input}
          name="slug"
          defaultValue={defaultValue}
          required
          maxLength={longestSlug}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          dense
        />
      </Field>
      <div role="status" className="slug-status">
        {answer?.free && <span>{slugTexts.free}</span>}
        {offered && (
          <Button variant="soft" size="sm" onClick={() => use(offered)}>
            Use “{offered}”
          </Button>
        )}
      </div>
    </div>
  );
}

function complaintOf(kind: Props["kind"], { problem }: SlugAnswer) {
  if (!problem) return undefined;
  return problem === "taken" ? slugTexts.taken[kind] : slugTexts.invalid;
}
