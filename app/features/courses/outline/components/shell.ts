import { createContext, type ReactNode } from "react";
import type { OutlineChange } from "../rules.ts";

export type ChangeOrder = (change: OutlineChange) => void;

export type ShellProps = {
  type: "module" | "lesson";
  id: string;
  /** For a lesson, its module. */
  moduleId: string;
  title: string;
  /** Of a module: its lessons by id. */
  items?: string[];
  className: string;
  /** Gets the handle by which the entry is dragged; null where nothing can be. */
  children: (handle: ReactNode) => ReactNode;
};

/** The element around an entry of the outline: plain at first, one that can be dragged later. */
export const ShellContext = createContext<(props: ShellProps) => ReactNode>(() => null);
