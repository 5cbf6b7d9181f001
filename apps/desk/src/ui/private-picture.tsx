import { Button } from '@fairlot/ui/controls/button.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { RotateCw, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fetchFile } from '../live/request.ts'

type PrivatePictureProps = {
  /** The path on the server. */
  path: string
  alt: string
  /** Whether it can be rotated and enlarged in place, as documents need; otherwise it opens in its own tab. */
  isRotatable?: boolean
}

type Shown = { url: string } | { problem: string } | null

/** A private picture, fetched only when an operator opens it, because each view is recorded in the audit log. */
export function PrivatePicture({ path, alt, isRotatable = false }: PrivatePictureProps) {
  const [shown, setShown] = useState<Shown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const url = shown && 'url' in shown ? shown.url : null
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url])
  const open = async () => {
    setIsBusy(true)
    try {
      setShown({ url: URL.createObjectURL(await fetchFile(path)) })
    } catch (error) {
      setShown({ problem: error instanceof Error ? error.message : 'The picture could not be loaded.' })
    }
    setIsBusy(false)
  }
  if (url !== null)
    return isRotatable ? (
      <RotatablePicture url={url} alt={alt} />
    ) : (
      <a href={url} target="_blank" rel="noreferrer">
        <img src={url} alt={alt} className="max-h-80 max-w-full rounded-field" />
      </a>
    )
  return (
    <>
      {shown && 'problem' in shown && (
        <p role="alert" className="text-note text-danger">
          {shown.problem}
        </p>
      )}
      <Button tone="outline" size="small" isBusy={isBusy} onClick={() => void open()}>
        Open the image (recorded in the audit log)
      </Button>
    </>
  )
}

const ZOOMS = [1, 1.5, 2, 3, 4] as const
const QUARTER_DEGREES = 90
/** The height of the frame, `max-h-96`. */
const FRAME_REM = 24

/** A picture that can be rotated and enlarged; it scrolls where it is larger than its frame. */
function RotatablePicture({ url, alt }: { url: string; alt: string }) {
  const [quarters, setQuarters] = useState(0)
  const [zoom, setZoom] = useState(0)
  const [size, setSize] = useState({ width: 4, height: 3 })
  const { width, height } = size
  const isSideways = quarters % 2 === 1
  const ratio = isSideways ? height / width : width / height
  const scale = ZOOMS[zoom] ?? 1
  return (
    <div className="flex flex-col gap-1">
      <div className="flex">
        <IconButton icon={RotateCw} label="Rotate" onClick={() => setQuarters(quarters + 1)} />
        <IconButton
          icon={ZoomIn}
          label="Larger"
          onClick={() => setZoom(Math.min(zoom + 1, ZOOMS.length - 1))}
        />
        <IconButton icon={ZoomOut} label="Smaller" onClick={() => setZoom(Math.max(zoom - 1, 0))} />
      </div>
      <div className="max-h-96 overflow-auto rounded-field bg-page">
        <div
          className="relative mx-auto"
          style={{
            // Fits its frame at first.
            width: `min(${scale * 100}%, ${scale * FRAME_REM * ratio}rem)`,
            aspectRatio: ratio,
          }}
        >
          <img
            src={url}
            alt={alt}
            style={{
              rotate: `${quarters * QUARTER_DEGREES}deg`,
              // Rotated by 90 degrees, its height is the width of the frame.
              width: isSideways ? `${(width / height) * 100}%` : '100%',
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
