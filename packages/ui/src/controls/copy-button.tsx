import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from './button.tsx'
import { Icon } from '../graphics/icon.tsx'
import { showToast } from '../feedback/toast.ts'

type CopyButtonProps = { text: string; label: string; doneLabel: string; failedText: string }

/** Copies a text. Shows the confirmation until the text changes, and a toast when copying fails. */
export function CopyButton({ text, label, doneLabel, failedText }: CopyButtonProps) {
  const [copied, setCopied] = useState<string | null>(null)
  const source = useRef<HTMLTextAreaElement>(null)
  const isDone = copied === text
  const copy = async () => {
    if (await copyText(text, () => source.current?.select())) setCopied(text)
    else showToast({ text: failedText, tone: 'problem' })
  }
  return (
    <span className="relative flex *:grow">
      <textarea ref={source} readOnly value={text} tabIndex={-1} aria-hidden className="sr-only" />
      <Button tone="outline" onClick={() => void copy()}>
        <Icon of={isDone ? Check : Copy} size={16} />
        {isDone ? doneLabel : label}
      </Button>
      {/* Beside the button: a live region inside it would take its name away. */}
      <span role="status" className="sr-only">
        {isDone && doneLabel}
      </span>
    </span>
  )
}

/**
 * Copies a text. The clipboard API exists over https only, and a phone on the local network uses http: there the text that
 * `select` selects is copied. False when that is not allowed either; the text stays selected.
 */
export async function copyText(text: string, select: () => void): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    select()
    return document.execCommand('copy')
  }
}
