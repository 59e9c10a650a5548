import { Check, Trash2 } from "lucide-react";
import { Button, ButtonLink } from "~/ui/button.tsx";
import { Dialog, DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Specimen, SpecimenLine } from "./specimen.tsx";

const variants = [
  "default",
  "hero",
  "soft",
  "secondary",
  "outline",
  "ghost",
  "link",
  "destructive",
] as const;

/** Buttons in every variant, size and state, and what they open. */
export function ControlSpecimens() {
  return (
    <>
      <Specimen title="Buttons" wide>
        <SpecimenLine name="Variants">
          {variants.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
        </SpecimenLine>
        <SpecimenLine name="Disabled">
          {variants.map((variant) => (
            <Button key={variant} variant={variant} disabled>
              {variant}
            </Button>
          ))}
        </SpecimenLine>
        <SpecimenLine name="Sizes: sm, default, lg, xl, icon">
          <Button size="sm">Subscribe</Button>
          <Button>Subscribe</Button>
          <Button size="lg">Subscribe</Button>
          <Button size="xl" variant="hero">
            Explore Courses
          </Button>
          <Button size="icon" variant="outline" aria-label="Delete">
            <Trash2 strokeWidth={1.75} />
          </Button>
        </SpecimenLine>
        <SpecimenLine name="Busy, with icon, as a link, long">
          <Button busyLabel="Subscribing...">Subscribe</Button>
          <Button busy busyLabel="Subscribing...">
            Subscribe
          </Button>
          <Button variant="soft" disabled>
            <Check strokeWidth={2} /> Module Complete!
          </Button>
          <ButtonLink href="#buttons" variant="outline">
            Learn About Coaching
          </ButtonLink>
          <Button>A label so long that it has to be set on two lines on a narrow phone</Button>
        </SpecimenLine>
      </Specimen>
      <Specimen title="Dialogs">
        <div className="flex flex-wrap gap-4">
          <DialogButton dialog="letter">Open the dialog</DialogButton>
          <DialogButton dialog="confirm" variant="outline">
            Delete
          </DialogButton>
          <DialogButton dialog="panel" variant="secondary">
            Side panel
          </DialogButton>
        </div>
        <Dialog
          id="letter"
          title="Join my weekly newsletter"
          description="Reflections, tools, and insights for living with loss."
        >
          <form className="grid gap-5">
            <Field label="First name">
              <Input name="name" placeholder="Your first name" autoComplete="given-name" required />
            </Field>
            <Field label="Email address">
              <Input type="email" name="email" placeholder="you@example.com" required />
            </Field>
            <Button type="submit" className="mt-2 w-full" busyLabel="Subscribing...">
              Subscribe
            </Button>
          </form>
        </Dialog>
        <Dialog
          id="confirm"
          title="Delete “Week one”?"
          description="Its 6 lessons go with it. What students wrote stays theirs."
        >
          <form method="dialog" className="flex flex-wrap gap-3">
            <Button type="submit" variant="destructive">
              Delete
            </Button>
            <Button type="submit" variant="ghost">
              Keep it
            </Button>
          </form>
        </Dialog>
        <Dialog id="panel" shape="side" title="Edit module">
          <Field label="Title">
            <Input dense defaultValue="Landing" />
          </Field>
        </Dialog>
      </Specimen>
    </>
  );
}
