import { createElement, memo, type Ref } from "react";
import type { LucideIcon, LucideProps } from "lucide-react";

type IconData = {
  name: string;
  /** Other names. */
  aliases?: string[];
  /** Of the view box; most icons have 24. */
  size?: number;
  node: [tag: string, attributes: Record<string, string>][];
};

type IconProps = LucideProps & { ref?: Ref<SVGSVGElement> | undefined };

/**
 * An icon of lucide-react. The build uses this instead of the library's own function, whose icons are two components that build
 * their attributes and shapes on each render. Here the shapes are the same elements on each render, and the icon renders
 * again only when its properties change. Of the library's properties, it has those that the app uses.
 */
export default function createIcon({ name, aliases = [], size: box = 24, node }: IconData): LucideIcon {
  const classes = ["lucide", ...[name, ...aliases].map((alias) => `lucide-${alias}`)].join(" ");
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  const shared = {
    xmlns: "http://www.w3.org/2000/svg",
    viewBox: `0 0 ${box} ${box}`,
    fill: "none",
    stroke: "currentColor",
    strokeLinecap: "round",
    strokeLinejoin: "round",
  } as const;
  const Icon = ({ size = 24, strokeWidth = 2, className, ...rest }: IconProps) =>
    createElement(
      "svg",
      {
        ...shared,
        width: size,
        height: size,
        strokeWidth,
        className: className === undefined ? classes : `${classes} ${className}`,
        "aria-hidden": isNamed(rest) ? undefined : "true",
        ...rest,
      },
      shapes,
    );
  Icon.displayName = name;
  return memo(Icon);
}

/** An icon without a name is decoration. */
function isNamed(props: object): boolean {
  for (const [name, value] of Object.entries(props))
    if ((name.startsWith("aria-") || name === "role" || name === "title") && value !== undefined) return true;
  return false;
}
