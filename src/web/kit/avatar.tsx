import { useState } from "react";
import { UserRound } from "lucide-react";
import { cx } from "./cx.ts";
import { initialsOf, type Named, nameOfPerson } from "./initials.ts";
import { tooltip } from "./tooltip.ts";

export type Pictured = Named & { profile_picture?: { avif: string; webp: string } | null };

type Props = {
  /** Null for a deleted user. */
  person: Pictured | null;
  size?: 16 | 20 | 24 | 32 | 64;
  /** Announces the name and shows it on hover. Set it when the name is not beside the avatar. */
  named?: boolean;
};

/** A person's picture, or their initials if there is none or it fails to load. */
export function Avatar({ person, size = 20, named = false }: Props) {
  const picture = person?.profile_picture ?? null;
  const [failed, setFailed] = useState<string | null>(null);
  const name = nameOfPerson(person);
  const frame = cx(
    "inline-flex shrink-0 items-center justify-center overflow-hidden rounded-full",
    size === 64 ? "text-title" : size === 32 ? "text-sm" : "text-[0.5625rem]/none",
  );
  const box = { width: size, height: size };
  const said = named
    ? ({ role: "img", "aria-label": name, ...tooltip(name) } as const)
    : ({ "aria-hidden": true } as const);
  if (picture !== null && failed !== picture.webp)
    return (
      <span {...said} className={frame} style={box}>
        <picture>
          <source srcSet={picture.avif} type="image/avif" />
          <img
            src={picture.webp}
            alt=""
            width={size}
            height={size}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
            onError={() => setFailed(picture.webp)}
          />
        </picture>
      </span>
    );
  // The initials are drawn in CSS, so that they do not become part of the accessible name of a surrounding button.
  const initials = person === null ? undefined : initialsOf(person);
  return (
    <span
      {...said}
      data-initials={size === 16 ? initials?.slice(0, 1) : initials}
      className={cx(
        frame,
        "bg-ignored-tint font-semibold forced-colors:border text-text-2 before:content-[attr(data-initials)]",
      )}
      style={box}
    >
      {person === null && <UserRound size={size * 0.6} />}
    </span>
  );
}
