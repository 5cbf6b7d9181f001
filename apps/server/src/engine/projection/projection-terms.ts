/** Terms, marked prices and nights as rows of their tables. */
import { termsSubject, type Author, type Event } from '@fairlot/core'
import type { Written } from '../../database/bulk.ts'
import type { NightTable, PriceMarkTable, PriceMomentTable, TermsChangeTable } from '../../database/schema.ts'
import { nightRatesCodec } from '../journal/event-codec.ts'
import { authorCodec, termsChangeCodec } from '../journal/terms-codec.ts'

type TermsColumns<Column extends keyof TermsChangeTable> = Written<
  Pick<TermsChangeTable, 'change_id' | Column>
>

export type TermsRows = {
  readonly changes: Written<TermsChangeTable>[]
  /** What became of changes that were announced. */
  readonly inEffect: Map<number, TermsColumns<'in_effect_at' | 'version'>>
  readonly withdrawn: Map<number, TermsColumns<'withdrawn_at'>>
  readonly moments: Map<number, Written<PriceMomentTable>>
  readonly marks: Written<PriceMarkTable>[]
  readonly nights: Map<number, Written<Pick<NightTable, 'rollover' | 'rates' | 'terms'>>>
  readonly nightEnds: Map<number, Written<Pick<NightTable, 'rollover' | 'ended_at'>>>
}

export const emptyTermsRows = (): TermsRows => ({
  changes: [],
  inEffect: new Map(),
  withdrawn: new Map(),
  moments: new Map(),
  marks: [],
  nights: new Map(),
  nightEnds: new Map(),
})

type TermsEvent = Extract<Event, { type: 'termsSet' | 'termsTookEffect' | 'termsWithdrawn' }>

/** Changes are numbered as they take effect, which is how the engine counts its terms. */
export function projectTerms(
  rows: TermsRows,
  numbers: { termsVersion: number },
  event: TermsEvent,
  { at, author }: { readonly at: number; readonly author: Author },
): void {
  const { changeId } = event
  switch (event.type) {
    case 'termsSet': {
      const isAtOnce = event.effectiveAt <= at
      if (isAtOnce) numbers.termsVersion += 1
      rows.changes.push({
        ...{ change_id: changeId, kind: event.change.kind, subject: termsSubject(event.change) },
        ...{ at, effective_at: event.effectiveAt },
        in_effect_at: isAtOnce ? at : null,
        version: isAtOnce ? numbers.termsVersion : null,
        withdrawn_at: null,
        author: authorCodec.write(author),
        reason: author.type === 'operator' ? author.reason : '',
        body: termsChangeCodec.write(event.change),
      })
      return
    }
    case 'termsTookEffect':
      numbers.termsVersion += 1
      rows.inEffect.set(changeId, { change_id: changeId, in_effect_at: at, version: numbers.termsVersion })
      return
    case 'termsWithdrawn':
      rows.withdrawn.set(changeId, { change_id: changeId, withdrawn_at: at })
  }
}

export function projectMark(
  rows: TermsRows,
  { termsVersion }: { readonly termsVersion: number },
  event: Extract<Event, { type: 'pricesMarked' | 'rolledOver' }>,
  at: number,
): void {
  if (event.type === 'rolledOver') {
    rows.nightEnds.set(event.rollover, { rollover: event.rollover, ended_at: at })
    return
  }
  const { moment, prices, night } = event
  rows.moments.set(moment, { moment, told_at: at })
  for (const { instrumentId, bid, ask, seq, time, receivedAt, source, markUp = 0 } of prices) {
    rows.marks.push({
      ...{ moment, instrument_id: instrumentId, bid, ask, seq, time },
      ...{ received_at: receivedAt, source, mark_up: markUp },
    })
  }
  if (night === null) return
  rows.nights.set(moment, { rollover: moment, rates: nightRatesCodec.write(night), terms: termsVersion })
  // Without rates there is nothing to book.
  if (night.length === 0) rows.nightEnds.set(moment, { rollover: moment, ended_at: at })
}
