import { Compass } from "~/ui/illustrations/compass.tsx";
import { Horizon } from "~/ui/illustrations/horizon.tsx";
import { Portrait } from "~/ui/illustrations/portrait.tsx";
import { Water } from "~/ui/illustrations/water.tsx";
import { Page } from "~/ui/page.tsx";

/** The illustrations. A real page has one of them. */
export function Pictures() {
  return (
    <section aria-label="Illustrations">
      <Horizon className="my-16" />
      <Page className="my-16">
        <div className="grid items-center gap-16 md:grid-cols-2 md:gap-24">
          <Compass />
          <Portrait
            photo={null}
            alt=""
            drawing="/pictures/window-seat.svg"
            caption="A window, until there is a photograph."
          />
        </div>
      </Page>
      <Water className="mt-16" />
    </section>
  );
}
