import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide";
import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "./icon.tsx";

const icons = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  destructive: CircleAlert,
};

type NoticeProps = {
  tone?: keyof typeof icons;
  title?: ReactNode;
  children?: ReactNode;
  live?: boolean;
  /** It stands in the place of the form that was sent: focus goes there, and it is read out. */
  focused?: boolean;
  className?: string;
};

/** A quiet remark in the flow of the page. The icon is decoration: the words carry the tone. */
export function Notice({
  tone = "info",
  title,
  children,
  live,
  focused,
  className = "",
}: NoticeProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (focused) box.current?.focus();
  }, [focused]);
  const role = live ? (tone === "destructive" ? "alert" : "status") : undefined;
  return (
    <div
      ref={box}
      className={`notice notice-${tone} ${className}`}
      role={role}
      tabIndex={focused ? -1 : undefined}
    >
      <Icon of={icons[tone]} />
      <div className="notice-body">
        {title && <p className="notice-title">{title}</p>}
        {children && <div>{children}</div>}
      </div>
    </div>
  );
}
