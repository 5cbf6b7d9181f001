import { CHAT_PICTURE_PATH } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { useEffect, useState } from 'react'
import { fetchFile } from '../../live/request.ts'

type Shown = { url: string } | { problem: string } | null

/** A picture that a person has sent. It is fetched when somebody asks to see it, for each view is written down. */
export function ChatPicture({ pictureKey }: { pictureKey: string }) {
  const [shown, setShown] = useState<Shown>(null)
  const url = shown && 'url' in shown ? shown.url : null
  useEffect(() => (url === null ? undefined : () => URL.revokeObjectURL(url)), [url])
  const look = async () => {
    try {
      setShown({ url: URL.createObjectURL(await fetchFile(`${CHAT_PICTURE_PATH}${pictureKey}`)) })
    } catch (error) {
      setShown({ problem: error instanceof Error ? error.message : 'It could not be fetched.' })
    }
  }
  if (url !== null)
    return (
      <a href={url} target="_blank" rel="noreferrer">
        <img src={url} alt="Sent by the person" className="max-h-80 max-w-full rounded-field" />
      </a>
    )
  return (
    <>
      {shown && 'problem' in shown && (
        <p role="alert" className="text-note text-danger">
          {shown.problem}
        </p>
      )}
      <Button tone="outline" size="small" onClick={() => void look()}>
        Look at the picture: the view is written down
      </Button>
    </>
  )
}
