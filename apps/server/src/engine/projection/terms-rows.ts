/** Rows of terms, price snapshots and rollovers. */
import { termsSubject, type Author, type Event } from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import type {
  RolloverTable,
  PriceMarkTable,
  PriceMomentTable,
  TermsChangeTable,
} from '../../platform/database/schema.ts'
import { authorCodec, swapRatesCodec, termsChangeCodec } from '../journal/event-codec.ts'
type TermsColumns<Column extends keyof TermsChangeTable> = Written<
  Pick<TermsChangeTable, 'change_id' | Column>
>

export type TermsRows = {
  readonly changes: Written<TermsChangeTable>[]
  /** Announced changes that took effect or were withdrawn. */
  readonly inEffect: Map<number, TermsColumns<'in_effect_at' | 'version'>>
  readonly withdrawn: Map<number, TermsColumns<'withdrawn_at'>>
  readonly snapshots: Map<number, Written<PriceMomentTable>>
  readonly snapshotPrices: Written<PriceMarkTable>[]
  readonly rollovers: Map<number, Written<Pick<RolloverTable, 'rollover' | 'rates' | 'terms'>>>
  readonly rolloverEnds: Map<number, Written<Pick<RolloverTable, 'rollover' | 'ended_at'>>>
}

export const emptyTermsRows = (): TermsRows => ({
  changes: [],
  inEffect: new Map(),
  withdrawn: new Map(),
  snapshots: new Map(),
  snapshotPrices: [],
  rollovers: new Map(),
  rolloverEnds: new Map(),
})

type TermsEvent = Extract<Event, { type: 'termsSet' | 'termsTookEffect' | 'termsWithdrawn' }>

/** Versions are numbered as changes take effect, as in the engine. */
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
        change_id: changeId,
        kind: event.change.kind,
        subject: termsSubject(event.change),
        at,
        effective_at: event.effectiveAt,
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

export function projectPriceSnapshot(
  rows: TermsRows,
  { termsVersion }: { readonly termsVersion: number },
  event: Extract<Event, { type: 'pricesMarked' | 'rolledOver' }>,
  at: number,
): void {
  if (event.type === 'rolledOver') {
    rows.rolloverEnds.set(event.rollover, { rollover: event.rollover, ended_at: at })
    return
  }
  const { moment, prices, night: rates } = event
  rows.snapshots.set(moment, { moment, told_at: at })
  for (const { instrumentId, bid, ask, seq, time, receivedAt, source, markUp = 0 } of prices) {
    rows.snapshotPrices.push({
      moment,
      instrument_id: instrumentId,
      bid,
      ask,
      seq,
      time,
      received_at: receivedAt,
      source,
      mark_up: markUp,
    })
  }
  if (rates === null) return
  rows.rollovers.set(moment, { rollover: moment, rates: swapRatesCodec.write(rates), terms: termsVersion })
  // Without swap rates there is nothing to book.
  if (rates.length === 0) rows.rolloverEnds.set(moment, { rollover: moment, ended_at: at })
}
