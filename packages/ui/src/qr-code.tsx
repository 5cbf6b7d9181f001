import { useMemo } from 'react'
import { encode } from 'uqr'

/** Readers expect a margin of four modules. */
const QUIET_ZONE = 4

type QrCodeProps = {
  text: string
  label: string
  /** How much of it may be hidden or dirty: H bears the most. */
  level?: 'M' | 'H'
  /** In pixels at the usual size of text. */
  size?: number
}

/** A text as a QR code for the camera of another device: dark on white in either theme, as readers need it. */
export function QrCode({ text, label, level = 'M', size = 192 }: QrCodeProps) {
  const { modules, path } = useMemo(() => drawn(text, level), [text, level])
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

function drawn(text: string, ecc: 'M' | 'H'): { modules: number; path: string } {
  const { data, size: modules } = encode(text, { ecc, border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return { modules, path: dark.join('') }
}
