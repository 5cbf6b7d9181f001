import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { RotateCw, ZoomIn, ZoomOut } from 'lucide-react'
import { useState } from 'react'

const ZOOMS = [1, 1.5, 2, 3, 4] as const
const QUARTER = 90

/** A picture that can be turned and drawn larger, to be scrolled where it is larger than its place. */
export function Turnable({ url, alt }: { url: string; alt: string }) {
  const [quarters, setQuarters] = useState(0)
  const [zoom, setZoom] = useState(0)
  const [size, setSize] = useState({ width: 4, height: 3 })
  const { width, height } = size
  const isOnSide = quarters % 2 === 1
  return (
    <div className="flex flex-col gap-1">
      <div className="flex">
        <IconButton icon={RotateCw} label="Turn it" onClick={() => setQuarters(quarters + 1)} />
        <IconButton
          icon={ZoomIn}
          label="Larger"
          onClick={() => setZoom(Math.min(zoom + 1, ZOOMS.length - 1))}
        />
        <IconButton icon={ZoomOut} label="Smaller" onClick={() => setZoom(Math.max(zoom - 1, 0))} />
      </div>
      <div className="max-h-96 overflow-auto rounded-field bg-page">
        <div
          className="relative"
          style={{
            width: `${(ZOOMS[zoom] ?? 1) * 100}%`,
            aspectRatio: isOnSide ? height / width : width / height,
          }}
        >
          <img
            src={url}
            alt={alt}
            style={{
              rotate: `${quarters * QUARTER}deg`,
              // Lying, it is as high as its place is wide.
              width: isOnSide ? `${(width / height) * 100}%` : '100%',
            }}
            className="absolute top-1/2 left-1/2 max-w-none -translate-1/2"
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize({ width: naturalWidth, height: naturalHeight })
            }
          />
        </div>
      </div>
    </div>
  )
}
