import { Checkbox } from "~/ui/checkbox.tsx";
import { Field } from "~/ui/field.tsx";
import { Input, Textarea } from "~/ui/inputs.tsx";
import { JournalBox } from "~/ui/journal-box.tsx";
import { PasswordInput } from "~/ui/password-input.tsx";
import { Select } from "~/ui/select.tsx";

import { Specimen } from "./specimen.tsx";

const entry =
  "He would have laughed at this. He had a way of standing in a doorway, coat still on, and telling you the whole day before you could ask.\n\nI keep listening for the coat.";

/** Every form control in every state. */
export function Forms() {
  return (
    <>
      <Specimen title="Fields">
        <div className="grid gap-7">
          <Field label="First name">
            <Input placeholder="Your first name" autoComplete="off" />
          </Field>
          <Field label="Email address" error="That address has no @ in it. Please look again.">
            <Input type="email" defaultValue="anna.example.com" />
          </Field>
          <Field
            label="Password"
            hint="Must be 8+ characters with uppercase, lowercase, and number"
          >
            <PasswordInput autoComplete="off" defaultValue="Correct1Horse" />
          </Field>
          <Field label="Course" optional>
            <Select defaultValue="b">
              <option value="a">Seven days of calm</option>
              <option value="b">
                A course with a name that goes on for rather longer than most
              </option>
            </Select>
          </Field>
          <Field label="Description" hint="Two or three sentences.">
            <Textarea placeholder="What is it for?" />
          </Field>
          <div className="grid gap-5 sm:grid-cols-3">
            <Field label="Dense">
              <Input dense defaultValue="1" inputMode="numeric" />
            </Field>
            <Field label="Disabled">
              <Input dense disabled defaultValue="Not now" />
            </Field>
            <Field label="Read only">
              <Input dense readOnly defaultValue="seven-days" />
            </Field>
          </div>
          <Field label="Audio file">
            <Input type="file" accept="audio/*" />
          </Field>
          <div>
            <Checkbox label="Keep me signed in on this device" defaultChecked />
            <Checkbox label="Active" />
            <Checkbox label="Cannot be changed" disabled defaultChecked />
          </div>
        </div>
      </Specimen>
      <Specimen title="Journal">
        <div className="grid gap-10">
          <Field prominent label="1. What do you keep listening for?">
            <JournalBox placeholder="Take your time…" />
          </Field>
          <Field prominent label="2. Who would you like to tell about it?">
            <JournalBox defaultValue={entry} />
          </Field>
        </div>
      </Specimen>
    </>
  );
}
