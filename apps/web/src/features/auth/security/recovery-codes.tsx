import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'

/** Shown this one time: the server keeps only what it needs to recognise them. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const t = useTranslations('auth')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h3 ref={heading} tabIndex={-1} className="mt-2 font-bold outline-none">
          {t('recoveryCodes')}
        </h3>
        <p className="text-note text-second">{t('recoveryCodesText')}</p>
      </div>
      <ol
        aria-label={t('recoveryCodes')}
        dir="ltr"
        className="flex flex-wrap gap-x-6 gap-y-1 rounded-field bg-page p-3"
      >
        {codes.map((code) => (
          <li key={code} className="font-medium tracking-wide">
            {code}
          </li>
        ))}
      </ol>
      <ButtonRow>
        <CopyButton
          text={codes.join('\n')}
          label={t('copyCodes')}
          doneLabel={t('copied')}
          failedText={t('copyFailed')}
        />
        <Button onClick={onKept}>{t('codesKept')}</Button>
      </ButtonRow>
    </div>
  )
}
