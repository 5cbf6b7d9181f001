import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import type { Form } from '@fairlot/ui/use-form.ts'
import type { ReactNode } from 'react'
import { DetailHead } from '../../ui/split-view.tsx'
import { TermsReview, type UntimedDraft } from './terms-review.tsx'
import { useReview } from './use-review.ts'

type ReviewedFormProps<Values extends object> = {
  /** What it is about, above the title. */
  kind: string
  title: string
  form: Form<Values>
  /** What the form asks for; null where a line cannot be read, which stands at its field then. */
  draftOf: () => UntimedDraft | null
  children: ReactNode
  onClose: () => void
}

/** A form of terms beside its list: what would change is shown before it is sent. */
export function ReviewedForm<Values extends object>(props: ReviewedFormProps<Values>) {
  const { kind, title, form, draftOf, children, onClose } = props
  const { review, isBusy, reviewed, close } = useReview(form)
  return (
    <>
      <DetailHead kind={kind} title={title} />
      <FormFrame
        form={form}
        onSubmit={(event) => {
          event.preventDefault()
          const draft = draftOf()
          if (draft) void review(draft)
        }}
      >
        {children}
        <FormNote text={form.note} />
        <ButtonRow>
          <Button tone="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={isBusy}>
            Review
          </Button>
        </ButtonRow>
      </FormFrame>
      {reviewed && <TermsReview title={title} draft={reviewed} onDone={onClose} onClose={close} />}
    </>
  )
}
