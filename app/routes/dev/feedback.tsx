import { Accordion, AccordionItem } from "~/ui/accordion.tsx";
import { Breadcrumbs } from "~/ui/breadcrumbs.tsx";
import { Button } from "~/ui/button.tsx";
import { EmptyState } from "~/ui/empty-state.tsx";
import { EmptyPath } from "~/ui/illustrations/empty-path.tsx";
import { Notice } from "~/ui/notice.tsx";
import { Progress } from "~/ui/progress.tsx";
import { Tabs } from "~/ui/tabs.tsx";
import { ToastMessage } from "~/ui/toast.tsx";
import { Specimen } from "./specimen.tsx";

/** Notices, progress, disclosure, navigation, empty states. */
export function Feedback() {
  return (
    <>
      <Specimen title="Notices">
        <div className="grid gap-4">
          <Notice>Lessons open one by one. The next one opens tomorrow.</Notice>
          <Notice tone="success" title="Lesson completed!">
            You can come back to it whenever you like.
          </Notice>
          <Notice tone="warning" title="This is not crisis care">
            If you are in danger, please call your local emergency number now.
          </Notice>
          <Notice tone="destructive" title="Course not found">
            It may have moved. All courses are listed under Courses.
          </Notice>
        </div>
      </Specimen>
      <Specimen title="Toasts">
        <div className="grid gap-4">
          <ToastMessage title="Lesson completed!" />
          <ToastMessage
            title="Welcome back!"
            description="You've successfully signed in."
            tone="success"
          />
          <ToastMessage
            title="Sign in failed"
            description="Invalid email or password"
            tone="destructive"
          />
          <ToastMessage title="Check your email shortly for a confirmation email (required to be subscribed). I'm glad you're here." />
        </div>
      </Specimen>
      <Specimen title="Progress">
        <div className="grid gap-6">
          <Progress value={0} label="0% Complete" />
          <Progress value={38} label="38% Complete" />
          <Progress value={100} label="100% Complete" />
        </div>
      </Specimen>
      <Specimen title="Accordion">
        <Accordion>
          <AccordionItem name="faq" title="How is this different from therapy?" open>
            <p>
              Therapy treats what is ill. Grief is not an illness. We look at the days you have to
              live now, and find what you can hold on to in them.
            </p>
          </AccordionItem>
          <AccordionItem name="faq" title="What if I don’t know what I need?">
            <p>Then that is where we begin.</p>
          </AccordionItem>
          <AccordionItem
            name="faq"
            title="How long do people usually come, and is it all right to stop before the end?"
          >
            <p>As long as it helps. And yes.</p>
          </AccordionItem>
        </Accordion>
      </Specimen>
      <Specimen title="Tabs and breadcrumbs">
        <Breadcrumbs
          items={[
            { label: "Home", href: "/" },
            { label: "Courses", href: "#c" },
            { label: "Calm" },
          ]}
        />
        <div className="mt-6">
          <Tabs
            label="Admin"
            tabs={[
              { href: "#courses", label: "Courses", active: true, count: 2 },
              { href: "#modules", label: "Modules", count: 9 },
              { href: "#lessons", label: "Lessons", count: 43 },
              { href: "#enrollments", label: "Enrollments", count: 1208 },
            ]}
          />
        </div>
      </Specimen>
      <Specimen title="Nothing yet">
        <EmptyState
          picture={<EmptyPath />}
          title="You haven't enrolled in any courses yet"
          action={<Button>Browse Courses</Button>}
        >
          <p>When you do, you will find them here, at the place where you left off.</p>
        </EmptyState>
      </Specimen>
    </>
  );
}
