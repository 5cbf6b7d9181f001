import { NEW_FORM_KEY, type InstrumentRow, type InstrumentTerms } from '@fairlot/contract/desk'
import { ButtonRow } from '@fairlot/ui/button-row.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { DetailHead } from '../../ui/split-view.tsx'
import { NEW_LINES } from './instrument-fields.ts'
import { linesOf, type Lines, termsOf, TermsSections, type TermsSection } from './terms-form.tsx'
import { TermsReview } from './terms-review.tsx'
import { useReview } from './use-review.ts'

type InstrumentFormProps = {
  /** Null for one that is to be made. */
  row: InstrumentRow | null
  sections: readonly TermsSection<string>[]
  onClose: () => void
}

/** The terms of an instrument as a form: what is wrong is said at its field, what would change is shown before it is sent. */
export function InstrumentForm({ row, sections, onClose }: InstrumentFormProps) {
  // What the form was opened with: a change by somebody else in the meantime is refused, not overwritten.
  const [opened] = useState({ id: row?.id ?? null, formKey: row?.formKey ?? NEW_FORM_KEY })
  const form = useForm<Lines>(() => (row ? linesOf(sections, row.terms) : NEW_LINES))
  const { review, isBusy, reviewed, close } = useReview()
  const send = async () => {
    const read = termsOf<InstrumentTerms>(sections, form.values)
    if ('problems' in read) return form.refuse(read.problems)
    const problem = await review({
      ...{ kind: 'instrument', instrumentId: opened.id, formKey: opened.formKey },
      ...{ instrument: read.terms, session: null, settings: null },
    })
    if (!problem) return
    const isOfField = problem.field !== null && problem.field in form.values
    form.refuse(isOfField ? { [problem.field ?? '']: problem.text } : {}, isOfField ? null : problem.text)
  }
  const title = row ? `Change ${row.terms.showCode}` : 'New instrument'
  return (
    <>
      <DetailHead kind={row ? `Instrument ${row.id}` : 'Market'} title={title} />
      <FormFrame
        form={form}
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <TermsSections sections={sections} form={form} />
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
