import { Button } from '@fairlot/ui/button.tsx'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { FormNote } from '@fairlot/ui/form-frame.tsx'
import { useTranslations } from 'use-intl'

type StepButtonsProps = { note: string | null; label: string; isBusy: boolean; onCancel: () => void }

/** What is wrong, the way back and the way on. */
export function StepButtons({ note, label, isBusy, onCancel }: StepButtonsProps) {
  const t = useTranslations('app')
  return (
    <>
      <FormNote text={note} />
      <ButtonRow>
        <Button tone="outline" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" isBusy={isBusy}>
          {label}
        </Button>
      </ButtonRow>
    </>
  )
}
