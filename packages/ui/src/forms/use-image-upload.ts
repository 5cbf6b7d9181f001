import { useEffect, useRef, useState } from 'react'
import { shrinkImage, type ImageLimits } from './shrink-image.ts'

/** Uploads a picture: resolves with the key by which a form refers to it, and reports progress from 0 to 1. */
export type SendImage = (
  file: File,
  options: { onProgress: (part: number) => void; signal: AbortSignal },
) => Promise<string>

type Chosen = { readonly preview: string; readonly name: string; readonly sent: number | 'done' }

type ImageUploadOptions = {
  limits: ImageLimits
  /** The problem of a file that stays too large after it was shrunk. */
  tooLarge: string
  send: SendImage
  /** The key of the uploaded picture; null while there is none. */
  onChange: (sent: string | null) => void
  /** Called when an upload starts, and when it has finished or failed. */
  onSending?: ((isSending: boolean) => void) | undefined
  /** The message for an error; null for none. */
  problemOf: (error: unknown) => string | null
}

/** The state of one picture from choosing to upload. After a failed upload the picture is removed and the reason shown. */
export function useImageUpload(options: ImageUploadOptions) {
  const { limits, tooLarge, send, onChange, onSending, problemOf } = options
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const current = useRef<AbortController | null>(null)

  const clear = () => {
    current.current?.abort()
    current.current = null
    setChosen(null)
    onSending?.(false)
    onChange(null)
  }
  const reject = (reason: string) => {
    clear()
    setProblem(reason)
  }
  const choose = async (file: File) => {
    clear()
    setProblem(null)
    const sending = new AbortController()
    current.current = sending
    const isCurrent = () => current.current === sending
    const show = (sent: Chosen['sent']) =>
      setChosen((before) => (before && isCurrent() ? { ...before, sent } : before))
    setChosen({ preview: URL.createObjectURL(file), name: file.name, sent: 0 })
    onSending?.(true)
    try {
      const shrunk = await shrinkImage(file, limits)
      if (!isCurrent()) return
      if (shrunk.size > limits.bytesMax) return reject(tooLarge)
      const answer = await send(shrunk, { onProgress: show, signal: sending.signal })
      if (!isCurrent()) return
      show('done')
      onSending?.(false)
      onChange(answer)
    } catch (error) {
      if (!isCurrent()) return
      clear()
      setProblem(problemOf(error))
    }
  }

  const preview = chosen?.preview
  useEffect(() => (preview === undefined ? undefined : () => URL.revokeObjectURL(preview)), [preview])
  useEffect(() => () => current.current?.abort(), [])

  return {
    chosen,
    problem,
    choose,
    remove: () => {
      clear()
      setProblem(null)
    },
  }
}
