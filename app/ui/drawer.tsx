import { X } from "lucide";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import type { ButtonLook } from "./button-styles.ts";
import { Icon } from "./icon.tsx";

type DrawerProps = { id: string; label: string; children: ReactNode };

/** A sidebar of 20 rem. From 1024 px it stands in place; below, it is a native popover that
 * DrawerButton opens: Escape and a tap outside close it and focus goes back, without scripts. */
export function Drawer({ id, label, children }: DrawerProps) {
  return (
    <aside id={id} popover="auto" aria-label={label} className="drawer">
      <div className="lg:sticky lg:top-0 lg:-ms-2 lg:max-h-dvh lg:overflow-auto lg:py-8 lg:ps-2 lg:pe-6">
        <div className="mb-2 flex justify-end lg:hidden">
          <Button
            variant="ghost"
            size="icon"
            aria-label="Close"
            popoverTarget={id}
            popoverTargetAction="hide"
          >
            <Icon of={X} />
          </Button>
        </div>
        {children}
      </div>
    </aside>
  );
}

type DrawerButtonProps = ButtonLook & { drawer: string; children: ReactNode };

/** Opens the drawer with that id; not shown where the drawer stands in place. */
export function DrawerButton({ drawer, children, ...look }: DrawerButtonProps) {
  return (
    <Button variant="outline" {...look} popoverTarget={drawer} className="lg:hidden">
      {children}
    </Button>
  );
}
