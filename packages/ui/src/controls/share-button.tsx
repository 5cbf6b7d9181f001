import { Share2 } from 'lucide-react'
import { Button } from './button.tsx'
import { Icon } from '../graphics/icon.tsx'
import { showToast } from '../feedback/toast.ts'

type ShareButtonProps = { title: string; text: string; label: string; failedText: string }

/** Shares a text by the device's share dialog; not rendered where there is none. */
export function ShareButton({ title, text, label, failedText }: ShareButtonProps) {
  if (!('share' in navigator)) return null
  const share = async () => {
    try {
      await navigator.share({ title, text })
    } catch (error) {
      // Closing the dialog is not an error.
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
