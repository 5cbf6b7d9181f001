import type { IdentityCheck } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { useIdentityForm } from './use-identity-form.ts'

/** Name, number and both sides of a document, or those of them that were wrong. */
export function IdentityForm({ check }: { check: IdentityCheck }) {
  const t = useTranslations('identity')
  const { form, asked, problemOf, onSubmit, isBusy } = useIdentityForm(check)
  const isAgain = check.status === 'rejected'
  return (
    <Card>
      <FormFrame form={form} onSubmit={onSubmit}>
        {isAgain ? (
          <div role="status">
            <p className="font-bold">{t('rejected', { count: asked.length })}</p>
            <p className="text-note text-second">{t('rejectedText')}</p>
          </div>
        ) : (
          <p className="text-note text-second">{t('intro')}</p>
        )}
        {asked.includes('name') && (
          <TextField
            label={t('name')}
            value={form.values.name}
            problem={problemOf('name')}
            autoComplete="name"
            onChange={(name) => form.set({ name })}
          />
        )}
        {asked.includes('number') && (
          <TextField
            label={t('number')}
            value={form.values.number}
            problem={problemOf('number')}
            autoComplete="off"
            dir="ltr"
            onChange={(number) => form.set({ number })}
          />
        )}
        {(['front', 'reverse'] as const).map(
          (side) =>
            asked.includes(side) && (
              <PictureField
                key={side}
                label={t(side)}
                hint={t(`${side}Hint`)}
                problem={problemOf(side)}
                onChange={(picture) => form.set({ [side]: picture ?? '' })}
              />
            ),
        )}
        <FormNote text={form.note} />
        <Button type="submit" isWide isBusy={isBusy}>
          {t(isAgain ? 'sendAgain' : 'send')}
        </Button>
      </FormFrame>
    </Card>
  )
}
