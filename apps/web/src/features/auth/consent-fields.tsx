import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Checkbox } from '@fairlot/ui/checkbox.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import type { Problems } from '@fairlot/ui/use-form.ts'
import { useConsentDocuments } from './queries.ts'

export type Consents = { terms: boolean; riskDisclosure: boolean }

const DOCUMENTS = ['terms', 'riskDisclosure'] as const

type ConsentFieldsProps = {
  values: Consents
  problems: Problems<Consents>
  onChange: (change: Partial<Consents>) => void
}

/** Two sentences to agree to, each beside the text it is about. */
export function ConsentFields({ values, problems, onChange }: ConsentFieldsProps) {
  const t = useTranslations()
  const { data: documents, isError, refetch } = useConsentDocuments()
  const [open, setOpen] = useState<keyof Consents>('terms')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <fieldset>
      <legend className="sr-only">{t('auth.consents')}</legend>
      {DOCUMENTS.map((name) => (
        <Checkbox
          key={name}
          isChecked={values[name]}
          problem={problems[name]}
          onChange={(isChecked) => onChange({ [name]: isChecked })}
          action={
            <TextButton
              aria-haspopup="dialog"
              aria-label={t('auth.readNamed', { document: t(`auth.${name}`) })}
              onClick={() => {
                setOpen(name)
                setIsOpen(true)
              }}
            >
              {t('auth.read')}
            </TextButton>
          }
        >
          {t(`auth.${name}Agreed`)}
        </Checkbox>
      ))}
      <Sheet
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        title={t(`auth.${open}`)}
        closeLabel={t('app.close')}
      >
        {documents ? (
          <>
            <p className="whitespace-pre-line">{documents[open]}</p>
            <p className="mt-4 text-note text-second">
              {t('auth.consentVersion', { version: documents.version })}
            </p>
          </>
        ) : isError ? (
          <p>
            {t('auth.consentFailed')} <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
          </p>
        ) : (
          <p className="text-second">{t('app.loading')}</p>
        )}
      </Sheet>
    </fieldset>
  )
}
