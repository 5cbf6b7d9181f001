import type { SealedReceipt } from '@fairlot/contract'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { copyText } from '../../../ui/copy-text.ts'
import { showToast } from '../../../ui/toast.ts'
import { hashedText } from './receipt-check.ts'

/** The exact text that a hash was made of, to be copied and hashed elsewhere. */
export function HashedText({ sealed }: { sealed: SealedReceipt }) {
  const t = useTranslations('order')
  const box = useRef<HTMLPreElement>(null)
  const copy = async () => {
    const isCopied = await copyText(
      hashedText(sealed),
      () => box.current && getSelection()?.selectAllChildren(box.current),
    )
    showToast({ text: t(isCopied ? 'textCopied' : 'textSelected') })
  }
  return (
    <div className="flex flex-col gap-1">
      <p className="text-tiny text-second">{t('hashedText')}</p>
      <pre
        ref={box}
        dir="ltr"
        className="rounded-field bg-page px-3 py-2 text-start font-mono text-tiny break-all whitespace-pre-wrap select-text"
      >
        <span className="text-brass">{sealed.previousHash}</span>
        {sealed.body}
      </pre>
      <p className="text-tiny text-second">{t('hashedTextHint')}</p>
      <div>
        <Button tone="outline" size="small" onClick={() => void copy()}>
          {t('copyText')}
        </Button>
      </div>
    </div>
  )
}
