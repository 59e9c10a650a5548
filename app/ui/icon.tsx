import type { IconNode } from "lucide";
import type { SVGProps } from "react";

/** An icon's drawing, such as `Menu` of lucide. */
export type Drawing = IconNode;

const known = new WeakMap<Drawing, string>();

// A constant of the library, with nothing in it to escape; made once, as pages show dozens.
function shapesOf(drawing: Drawing): string {
  let shapes = known.get(drawing);
  if (shapes === undefined) {
    shapes = drawing
      .map(([tag, attributes]) => {
        const all = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
        return `<${tag}${all.join("")}></${tag}>`;
      })
      .join("");
    known.set(drawing, shapes);
  }
  return shapes;
}

type IconProps = Omit<SVGProps<SVGSVGElement>, "children" | "dangerouslySetInnerHTML"> & {
  of: Drawing;
};

/** An icon. It is not read out unless it has a `role` and an `aria-label`. */
export function Icon({ of, role, ...rest }: IconProps) {
  return (
    <svg
      width="24"
      height="24"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      role={role}
      aria-hidden={role ? undefined : true}
      {...rest}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of the library
      dangerouslySetInnerHTML={{ __html: shapesOf(of) }}
    />
  );
}
