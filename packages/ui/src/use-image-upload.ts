import { useEffect, useRef, useState } from 'react'

/** How a picture is sent away: answers what a form names it by, and tells meanwhile how much has left, from 0 to 1. */
export type SendImage = (
  file: File,
  options: { onProgress: (part: number) => void; signal: AbortSignal },
) => Promise<string>

type Chosen = { readonly preview: string; readonly name: string; readonly sent: number | 'done' }

type ImageUploadOptions = {
  send: SendImage
  /** What the picture is called once it has been sent; null while there is none. */
  onChange: (sent: string | null) => void
  /** Told when a picture begins to leave, and when it has arrived or is gone. */
  onSending?: ((isSending: boolean) => void) | undefined
  /** The sentence of what went wrong; null for nothing to say. */
  problemOf: (error: unknown) => string | null
}

/** One picture on its way: chosen, shown, sent. One that cannot be sent is gone, and why is told. */
export function useImageUpload({ send, onChange, onSending, problemOf }: ImageUploadOptions) {
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
      const answer = await send(file, { onProgress: show, signal: sending.signal })
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
    ...{ chosen, problem, choose },
    remove: () => {
      clear()
      setProblem(null)
    },
    refuse: (sentence: string) => {
      clear()
      setProblem(sentence)
    },
  }
}
