import { NEW_FORM_KEY, type InstrumentRow, type InstrumentTerms } from '@fairlot/contract/desk'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { type Choices, instrumentSections, NEW_LINES } from './instrument-fields.ts'
import { ReviewedForm } from './reviewed-form.tsx'
import { linesOf, type Lines, termsOf, TermsSections } from './terms-form.tsx'

type InstrumentFormProps = {
  /** Null for one that is to be made. */
  row: InstrumentRow | null
  choices: Choices
  onClose: () => void
}

/** The terms of an instrument as a form: what is wrong is said at its field, what would change is shown before it is sent. */
export function InstrumentForm({ row, choices, onClose }: InstrumentFormProps) {
  // What the form was opened with: a change by somebody else in the meantime is refused, not overwritten.
  const [opened] = useState({ id: row?.id ?? null, formKey: row?.formKey ?? NEW_FORM_KEY })
  const sectionsFor = (marginMode: string | undefined) =>
    instrumentSections({ ...choices, isNew: opened.id === null, marginMode: marginMode ?? '' })
  const form = useForm<Lines>(() => (row ? linesOf(sectionsFor(''), row.terms) : NEW_LINES))
  const sections = sectionsFor(form.values['marginMode'])
  // Units become money: what stands there would mean something else.
  const set = ({ marginMode, ...change }: Partial<Lines>) => {
    const size = marginMode === row?.terms.marginMode ? String(row?.terms.contractSize) : ''
    form.set(marginMode === undefined ? change : { ...change, marginMode, contractSize: size })
  }
  const draftOf = () => {
    const read = termsOf<InstrumentTerms>(sections, form.values)
    if ('problems' in read) {
      form.refuse(read.problems)
      return null
    }
    return {
      ...{ kind: 'instrument' as const, instrumentId: opened.id, formKey: opened.formKey },
      ...{ instrument: read.terms, session: null, settings: null },
    }
  }
  return (
    <ReviewedForm
      kind={row ? `Instrument ${row.id}` : 'Market'}
      title={row ? `Change ${row.terms.showCode}` : 'New instrument'}
      {...{ form, draftOf, onClose }}
    >
      <TermsSections sections={sections} form={{ ...form, set }} />
    </ReviewedForm>
  )
}
