import { useMemo } from 'react'
import { encode } from 'uqr'

/** Scanners expect a margin of four modules. */
const QUIET_ZONE = 4

type QrCodeProps = {
  text: string
  label: string
  /** The error correction level: H tolerates the most damage. */
  level?: 'M' | 'H'
  /** In px at the default text size. */
  size?: number
}

/** A text as a QR code: black on white in both themes, as scanners need. */
export function QrCode({ text, label, level = 'M', size = 192 }: QrCodeProps) {
  const { modules, path } = useMemo(() => pathOf(text, level), [text, level])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      className="mx-auto max-w-full rounded-field"
      style={{ width: `${size / 16}rem` }}
    >
      <rect width={modules} height={modules} fill="white" />
      <path d={path} fill="black" />
    </svg>
  )
}

function pathOf(text: string, ecc: 'M' | 'H'): { modules: number; path: string } {
  const { data, size: modules } = encode(text, { ecc, border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { modules, path: dark.join('') }
}
