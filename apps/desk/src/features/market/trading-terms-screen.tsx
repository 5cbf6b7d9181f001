import { getTradingTerms, type TradingTerms } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useState } from 'react'
import { useKeptForm } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { Page, type SectionPageProps } from '../../ui/page.tsx'
import { fieldTextsOf, type FieldTexts, termsOf, TermsSections, type TermsSection } from './terms-form.tsx'
import { TermsReview, useReview } from './terms-review.tsx'

const FEE_TYPES = [
  { value: 'rate', label: 'share of the margin' },
  { value: 'fixed', label: 'amount per lot' },
]

const SECTIONS: readonly TermsSection<keyof TradingTerms>[] = [
  {
    title: 'Accounts',
    fields: [
      { name: 'accountCurrency', format: 'text', isFixed: true, hint: 'It cannot be changed later.' },
      { name: 'demoBalance', format: 'money' },
      { name: 'maxLivingOrders', format: 'integer', hint: 'Open and pending.' },
      { name: 'feeType', format: 'text', options: FEE_TYPES },
    ],
  },
  {
    title: 'Margin',
    fields: [
      { name: 'warningLevel', format: 'integer', hint: '% of the margin.' },
      { name: 'stopOutLevel', format: 'integer', hint: '% of the margin.' },
    ],
  },
  {
    title: 'Copying',
    fields: [
      { name: 'isDemoCopyOn', format: 'flag' },
      { name: 'isRealCopyOn', format: 'flag' },
      {
        name: 'copyLegalBasis',
        format: 'text',
        isLong: true,
        hint: 'Shown to users; required for copying with real money.',
      },
      { name: 'copyMinAmount', format: 'money' },
      { name: 'providerMinEquity', format: 'money', hint: 'Below it nothing is copied or published.' },
      { name: 'maxCopiesPerUser', format: 'integer' },
      { name: 'maxCopiesPerProvider', format: 'integer' },
    ],
  },
  {
    title: 'Prices and changes',
    fields: [
      { name: 'freshnessMs', format: 'integer', hint: 'ms; no order is filled at an older price.' },
      { name: 'noticeMs', format: 'hours', hint: 'Hours by which a change is announced in advance.' },
      {
        name: 'fourEyesLimit',
        format: 'money',
        hint: 'Credits to one account above this sum in 24 hours need two operators.',
      },
      {
        name: 'fourEyesOperatorLimit',
        format: 'money',
        hint: 'All that one operator credits, approves and pays in 24 hours.',
      },
    ],
  },
]

export function TradingTermsScreen({ filter }: SectionPageProps) {
  const { data, problem } = useDeskQuery(getTradingTerms, null)
  return (
    <Page title="Market" filter={filter}>
      {data ? (
        <TradingTermsForm key={data.formKey} terms={data.terms} formKey={data.formKey} />
      ) : (
        (problem ?? <Skeleton shape="h-64 w-full" />)
      )}
    </Page>
  )
}

function TradingTermsForm({ terms, formKey: key }: { terms: TradingTerms; formKey: string }) {
  const mayChange = useMay('changeTerms')
  const [formKey] = useState(key)
  const form = useKeptForm<FieldTexts>('trading terms', () => fieldTextsOf(SECTIONS, terms))
  const { review, isBusy, reviewed, close } = useReview(form)
  const send = () => {
    const read = termsOf<TradingTerms>(SECTIONS, form.values)
    if ('problems' in read) return form.reject(read.problems)
    const none = { instrumentId: null, instrument: null, session: null } as const
    void review({ ...none, kind: 'settings', formKey, settings: read.terms })
  }
  return (
    <div className="max-w-2xl">
      <Card>
        <FormFrame
          form={form}
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <fieldset disabled={!mayChange} className="flex min-w-0 flex-col gap-4">
            <TermsSections sections={SECTIONS} form={form} />
          </fieldset>
          <FormNote text={form.note} />
          {mayChange && (
            <Button type="submit" isBusy={isBusy}>
              Review
            </Button>
          )}
        </FormFrame>
      </Card>
      {reviewed && <TermsReview title="Trading settings" draft={reviewed} onDone={close} onClose={close} />}
    </div>
  )
}
