import { DESK_FILE_PATH, getPayment } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { RotateCw, ZoomIn, ZoomOut } from 'lucide-react'
import { useEffect, useState } from 'react'
import { fetchFile } from '../../live/request.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { Passage } from '../../ui/split-view.tsx'

type Shown = { url: string } | { problem: string } | null

/** The picture of a transfer. It is fetched when somebody asks to see it, for each view is written down. */
export function ProofView({ id }: { id: number }) {
  const key = useDeskQuery(getPayment, { id }).data?.proof ?? null
  const [shown, setShown] = useState<Shown>(null)
  const url = shown && 'url' in shown ? shown.url : null
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url])
  if (key === null) return null
  const look = async () => {
    try {
      setShown({ url: URL.createObjectURL(await fetchFile(`${DESK_FILE_PATH}${key}`)) })
    } catch (error) {
      setShown({ problem: error instanceof Error ? error.message : 'It could not be fetched.' })
    }
  }
  return (
    <Passage title="Picture of the transfer">
      {shown && 'problem' in shown && (
        <p role="alert" className="text-note text-danger">
          {shown.problem}
        </p>
      )}
      {url === null ? (
        <Button tone="outline" size="small" onClick={() => void look()}>
          Look at it: the view is written down
        </Button>
      ) : (
        <Turnable url={url} />
      )}
    </Passage>
  )
}

const ZOOMS = [1, 1.5, 2, 3, 4] as const
const QUARTER = 90

/** A picture that can be turned and drawn larger, to be scrolled where it is larger than its place. */
function Turnable({ url }: { url: string }) {
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
            alt="Proof of the transfer"
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
