import { useState } from 'react'

type LogoProps = {
  /** One symbol in a ring, or two overlapping coins for a pair. Letters and currency symbols only. */
  symbols: readonly [string] | readonly [string, string]
  /** The URL of a picture to show instead; null for none. */
  picture?: string | null
}

/** The logo of an instrument: its picture, or its symbols when there is none or it fails to load. */
export function Logo({ symbols, picture = null }: LogoProps) {
  const [missing, setMissing] = useState<string | null>(null)
  if (picture !== null && picture !== missing)
    return <LogoPicture picture={picture} onMissing={() => setMissing(picture)} />
  return symbols.length === 2 ? <Coins front={symbols[0]} back={symbols[1]} /> : <Ring symbol={symbols[0]} />
}

/** Logos are made for a light background. */
const LogoPicture = ({ picture, onMissing }: { picture: string; onMissing: () => void }) => (
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

const sizeOf = (symbol: string) => (symbol.length > 1 ? 12 : 13)

const CurrencySymbol = ({ x, symbol, className }: { x: number; symbol: string; className: string }) => (
  <text
    x={x}
    y={14}
    dy="0.35em"
    textAnchor="middle"
    fontSize={sizeOf(symbol)}
    className={`font-bold ${className}`}
  >
    {symbol}
  </text>
)

const Coins = ({ front, back }: { front: string; back: string }) => (
  <svg aria-hidden viewBox="0 0 44 28" className="h-7 w-11 shrink-0" direction="ltr">
    <circle cx="14" cy="14" r="14" className="fill-ink" />
    <CurrencySymbol x={13} symbol={front} className="fill-on-ink" />
    <circle cx="30" cy="14" r="13.25" className="fill-surface stroke-ink" strokeWidth="1.5" />
    <CurrencySymbol x={30} symbol={back} className="fill-ink" />
  </svg>
)

const Ring = ({ symbol }: { symbol: string }) => (
  <svg aria-hidden viewBox="0 0 44 28" className="h-7 w-11 shrink-0" direction="ltr">
    <circle cx="14" cy="14" r="13.25" className="fill-brass-tint stroke-brass" strokeWidth="1.5" />
    <CurrencySymbol x={14} symbol={symbol} className="fill-brass" />
  </svg>
)
