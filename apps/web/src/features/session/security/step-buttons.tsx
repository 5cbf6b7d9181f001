import { useTranslations } from 'use-intl'
import { ButtonRow } from '../../../ui/button-row.tsx'
import { Button } from '../../../ui/button.tsx'
import { FormNote } from '../../../ui/form-note.tsx'

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
