import { Share2 } from 'lucide-react'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { showToast } from './toast.ts'

type ShareButtonProps = { title: string; text: string; label: string; failedText: string }

/** Hands a text to another app, by what the device offers for it; not there where it offers nothing. */
export function ShareButton({ title, text, label, failedText }: ShareButtonProps) {
  if (!('share' in navigator)) return null
  const share = async () => {
    try {
      await navigator.share({ title, text })
    } catch (error) {
      // Whoever closes it again has not failed.
      if (!(error instanceof DOMException && error.name === 'AbortError'))
        showToast({ text: failedText, tone: 'problem' })
    }
  }
  return (
    <Button tone="outline" onClick={() => void share()}>
      <Icon of={Share2} size={16} />
      {label}
    </Button>
  )
}
