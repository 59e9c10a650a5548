import type { RouteHandle } from "~/platform/http/known-routes.ts";
import { Button } from "~/ui/button.tsx";
import { DialogButton } from "~/ui/dialog.tsx";
import { Field } from "~/ui/field.tsx";
import { Input } from "~/ui/inputs.tsx";
import { Page } from "~/ui/page.tsx";
import { Footer } from "~/ui/shell/footer.tsx";
import { Header } from "~/ui/shell/header.tsx";
import { ControlSpecimens } from "./controls.tsx";
import { Data } from "./data.tsx";
import { Feedback } from "./feedback.tsx";
import { Forms } from "./forms.tsx";
import { Pictures } from "./pictures.tsx";
import { Reading } from "./reading.tsx";
import { TypeAndColour } from "./type-and-colour.tsx";

const links = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/_ui", label: "Courses", active: true },
  { href: "/coaching", label: "Coaching" },
];

/** The specimens have their own header and footer, and are not hydrated, like visitors' pages. */
export const handle = { bare: true } satisfies RouteHandle;

/** Everything in app/ui in every state, to be looked at. Development only. */
export default function Ui() {
  return (
    <>
      <Header
        brand="Blue Dot"
        links={links}
        session={{
          out: { href: "/auth", label: "Log In" },
          in: { href: "/my-courses", label: "My Courses" },
        }}
        actions={
          <DialogButton dialog="letter" size="sm">
            Subscribe
          </DialogButton>
        }
      />
      <div>
        <Page className="pb-24">
          <h1 className="py-section">The design system</h1>
          <TypeAndColour />
          <ControlSpecimens />
          <Forms />
          <Feedback />
          <Data />
          <Reading />
        </Page>
        <Pictures />
      </div>
      <Footer
        brand="Blue Dot"
        blurb={<p>Courses, coaching and a weekly letter for people living with loss.</p>}
        groups={[
          { title: "Site", links },
          {
            title: "Legal",
            links: [
              { href: "/privacy", label: "Privacy" },
              { href: "/terms", label: "Terms" },
            ],
          },
        ]}
        copyright="© 2025 Blue Dot"
      >
        <h2 className="footer-title">Stay Connected</h2>
        <form className="mt-5 grid gap-4">
          <Field label="First name">
            <Input placeholder="Your first name" />
          </Field>
          <Field label="Email address">
            <Input type="email" placeholder="you@example.com" />
          </Field>
          <Button type="submit" busyLabel="Subscribing..." className="mt-1 justify-self-start">
            Subscribe
          </Button>
        </form>
      </Footer>
    </>
  );
}
