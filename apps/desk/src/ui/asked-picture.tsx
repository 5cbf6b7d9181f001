import { Button } from '@fairlot/ui/button.tsx'
import { useEffect, useState } from 'react'
import { fetchFile } from '../live/request.ts'
import { Turnable } from './turnable.tsx'

type AskedPictureProps = {
  /** Where it is fetched. */
  path: string
  alt: string
  /** Whether it can be turned and drawn larger in its place, as paper asks for; else it opens beside the desk. */
  isTurnable?: boolean
}

type Shown = { url: string } | { problem: string } | null

/** A picture that is for few eyes. It is fetched when an operator asks to see it, for each view is written down. */
export function AskedPicture({ path, alt, isTurnable = false }: AskedPictureProps) {
  const [shown, setShown] = useState<Shown>(null)
  const [isBusy, setIsBusy] = useState(false)
  const url = shown && 'url' in shown ? shown.url : null
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url])
  const look = async () => {
    setIsBusy(true)
    try {
      setShown({ url: URL.createObjectURL(await fetchFile(path)) })
    } catch (error) {
      setShown({ problem: error instanceof Error ? error.message : 'It could not be fetched.' })
    }
    setIsBusy(false)
  }
  if (url !== null)
    return isTurnable ? (
      <Turnable url={url} alt={alt} />
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
      <Button tone="outline" size="small" isBusy={isBusy} onClick={() => void look()}>
        Look at the picture: the view is written down
      </Button>
    </>
  )
}
