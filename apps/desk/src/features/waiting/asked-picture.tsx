import { DESK_FILE_PATH } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useEffect, useState } from 'react'
import { fetchFile } from '../../live/request.ts'
import { Turnable } from './turnable.tsx'

type Shown = { url: string } | { problem: string } | null

/** A picture that somebody has sent. It is fetched when an operator asks to see it, for each view is written down. */
export function AskedPicture({ pictureKey, alt }: { pictureKey: string; alt: string }) {
  const [shown, setShown] = useState<Shown>(null)
  const url = shown && 'url' in shown ? shown.url : null
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url])
  const look = async () => {
    try {
      setShown({ url: URL.createObjectURL(await fetchFile(`${DESK_FILE_PATH}${pictureKey}`)) })
    } catch (error) {
      setShown({ problem: error instanceof Error ? error.message : 'It could not be fetched.' })
    }
  }
  if (url !== null) return <Turnable url={url} alt={alt} />
  return (
    <>
      {shown && 'problem' in shown && (
        <p role="alert" className="text-note text-danger">
          {shown.problem}
        </p>
      )}
      <Button tone="outline" size="small" onClick={() => void look()}>
        Look at it: the view is written down
      </Button>
    </>
  )
}
