import { useTranslations } from 'use-intl'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button, type ButtonTone } from '@fairlot/ui/controls/button.tsx'
import { FormNote } from '@fairlot/ui/forms/form-frame.tsx'

type StepButtonsProps = {
  note: string | null
  label: string
  tone?: ButtonTone
  isBusy: boolean
  onCancel: () => void
}

/** The form's error, a cancel button and the submit button of a step. */
export function StepButtons({ note, label, tone = 'ink', isBusy, onCancel }: StepButtonsProps) {
  const t = useTranslations('app')
  return (
    <>
      <FormNote text={note} />
      <ButtonRow>
        <Button tone="outline" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" tone={tone} isBusy={isBusy}>
          {label}
        </Button>
      </ButtonRow>
    </>
  )
}
