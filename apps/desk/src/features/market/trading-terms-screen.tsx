import { getTradingTerms, type TradingTerms } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/form-frame.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useForm } from '@fairlot/ui/use-form.ts'
import { useState } from 'react'
import { useMay } from '../../live/session.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { Page } from '../../ui/page.tsx'
import type { MarketPageProps } from './market-page.ts'
import { linesOf, type Lines, termsOf, TermsSections, type TermsSection } from './terms-form.tsx'
import { TermsReview } from './terms-review.tsx'
import { useReview } from './use-review.ts'

const FEE_TYPES = [
  { value: 'rate', label: 'part of the margin' },
  { value: 'fixed', label: 'money a lot' },
]

const SECTIONS: readonly TermsSection<keyof TradingTerms>[] = [
  {
    title: 'Accounts',
    fields: [
      { name: 'accountCurrency', reading: 'text', isFixed: true, hint: 'For ever the same.' },
      { name: 'demoBalance', reading: 'money' },
      { name: 'maxLivingOrders', reading: 'whole', hint: 'Open and pending.' },
      { name: 'feeType', reading: 'text', options: FEE_TYPES },
    ],
  },
  {
    title: 'Margin',
    fields: [
      { name: 'warningLevel', reading: 'whole', hint: '% of the margin.' },
      { name: 'stopOutLevel', reading: 'whole', hint: '% of the margin.' },
    ],
  },
  {
    title: 'Prices and changes',
    fields: [
      { name: 'freshnessMs', reading: 'whole', hint: 'ms; an older price fills nothing.' },
      { name: 'noticeMs', reading: 'hours', hint: 'Hours that traders see it before.' },
      { name: 'fourEyesLimit', reading: 'money', hint: 'Money acts above it need two people.' },
    ],
  },
]

/** The settings of trading that are terms. */
export function TradingTermsScreen({ filter }: MarketPageProps) {
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
  const form = useForm<Lines>(() => linesOf(SECTIONS, terms))
  const { review, isBusy, reviewed, close } = useReview(form)
  const send = () => {
    const read = termsOf<TradingTerms>(SECTIONS, form.values)
    if ('problems' in read) return form.refuse(read.problems)
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
      {reviewed && (
        <TermsReview title="Settings of trading" draft={reviewed} onDone={close} onClose={close} />
      )}
    </div>
  )
}
