import { useState } from 'react'

type MarkProps = {
  /** One sign in a ring, or two overlapping coins: a pair. Letters and currency signs only. */
  signs: readonly [string] | readonly [string, string]
  /** The address of a picture to show in their place; null for none. */
  picture?: string | null
}

/** A logo: its picture, or where there is none, or it does not come, its signs. */
export function Mark({ signs, picture = null }: MarkProps) {
  const [missing, setMissing] = useState<string | null>(null)
  if (picture !== null && picture !== missing)
    return <Round picture={picture} onMissing={() => setMissing(picture)} />
  return signs.length === 2 ? <Coins front={signs[0]} back={signs[1]} /> : <Ring sign={signs[0]} />
}

/** On light ground, for which logos are drawn. */
const Round = ({ picture, onMissing }: { picture: string; onMissing: () => void }) => (
  <span dir="ltr" className="block h-7 w-11 shrink-0">
    <img
      src={picture}
      alt=""
      decoding="async"
      onError={onMissing}
      className="size-7 rounded-full bg-white object-cover ring-1 ring-line"
    />
  </span>
)

const sizeOf = (sign: string) => (sign.length > 2 ? 8 : sign.length > 1 ? 10 : 13)

const Sign = ({ x, sign, className }: { x: number; sign: string; className: string }) => (
  <text
    x={x}
    y={14}
    dy="0.35em"
    textAnchor="middle"
    fontSize={sizeOf(sign)}
    className={`font-bold ${className}`}
  >
    {sign}
  </text>
)

const Coins = ({ front, back }: { front: string; back: string }) => (
  <svg aria-hidden viewBox="0 0 44 28" className="h-7 w-11 shrink-0" direction="ltr">
    <circle cx="14" cy="14" r="14" className="fill-ink" />
    <Sign x={13} sign={front} className="fill-on-ink" />
    <circle cx="30" cy="14" r="13.25" className="fill-surface stroke-ink" strokeWidth="1.5" />
    <Sign x={30} sign={back} className="fill-ink" />
  </svg>
)

const Ring = ({ sign }: { sign: string }) => (
  <svg aria-hidden viewBox="0 0 44 28" className="h-7 w-11 shrink-0" direction="ltr">
    <circle cx="14" cy="14" r="13.25" className="fill-brass-tint stroke-brass" strokeWidth="1.5" />
    <Sign x={14} sign={sign} className="fill-brass" />
  </svg>
)
