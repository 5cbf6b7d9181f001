/** Terms as the desk's forms have them, and back. */
import { createHash } from 'node:crypto'
import { isPublicPicture } from '@fairlot/contract'
import {
  NEW_FORM_KEY,
  type InstrumentTerms,
  type SessionTerms,
  type TermsDraft,
  type TradingTerms,
} from '@fairlot/contract/desk'
import {
  fromTicks,
  lots,
  price,
  ratio,
  sessionText,
  termsSubject,
  toTicks,
  type Instrument,
  type Listing,
  type Price,
  type State,
  type TermsChange,
  type TermsProblem,
} from '@fairlot/core'
import { termsChangeCodec } from '../../engine/journal/terms-codec.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { termsInForce } from '../../market/terms-fields.ts'

/** What a form of an instrument shows. */
export function instrumentTermsOf(instrument: Instrument, listing: Listing): InstrumentTerms {
  const { id: _, swapRate, minStopDistance, ...given } = instrument
  const { freshnessMs = null, markUp = ratio(0), sourceOrder = [], ...same } = given
  const { pricePip, typicalSpread, referencePrice, yearlyVolatility, ...shown } = listing
  const inPrice = (ticks: number) => fromTicks(price(ticks), instrument.priceDecimals)
  return {
    ...{ ...same, ...shown, freshnessMs, markUp, sourceOrder },
    ...{ swapBuy: swapRate.buy, swapSell: swapRate.sell, minStopDistance: inPrice(minStopDistance) },
    ...{ pricePip: inPrice(pricePip), typicalSpread: inPrice(typicalSpread) },
    ...{ referencePrice: inPrice(referencePrice), yearlyVolatility: ratio(yearlyVolatility) },
  }
}

export const sessionTermsOf = (state: State, name: string): SessionTerms | null => {
  const session = state.calendar.get(name)
  return session ? sessionText(session) : null
}

const wrong = (field: string, why: TermsProblem): Refusal => refuse('termsInvalid', { field, why })

/** What a form asks for, as a change of terms. A field that no change can hold is refused with its name. */
function changeOf(state: State, draft: TermsDraft): TermsChange | Refusal {
  switch (draft.kind) {
    case 'settings':
      return draft.settings ? { kind: 'settings', settings: draft.settings } : wrong('settings', 'missing')
    case 'calendar':
      return draft.session ? { kind: 'calendar', session: draft.session } : wrong('session', 'missing')
    case 'instrument':
      return draft.instrument
        ? instrumentChange(state, draft.instrumentId, draft.instrument)
        : wrong('instrument', 'missing')
  }
}

function instrumentChange(
  { instruments, listings }: State,
  known: number | null,
  terms: InstrumentTerms,
): TermsChange | Refusal {
  if (known !== null && !instruments.has(known)) return refuse('unknownInstrument')
  const id = known ?? Math.max(0, ...instruments.keys()) + 1
  const before = instruments.get(id)
  const { priceDecimals } = terms
  if (priceDecimals < 0 || priceDecimals > 10) return wrong('priceDecimals', 'tooManyDecimals')
  const isLogoNew = terms.logo !== (known === null ? '' : (listings.get(known)?.logo ?? ''))
  if (isLogoNew && terms.logo !== '' && !isPublicPicture(terms.logo)) return wrong('logo', 'unreadable')
  const ticks: Partial<Record<PriceField, Price>> = {}
  for (const field of PRICE_FIELDS) {
    const units = toTicks(terms[field], priceDecimals)
    if (units === null) return wrong(field, 'finerThanTick')
    ticks[field] = units
  }
  const { minStopDistance, pricePip, typicalSpread, referencePrice } = ticks as Record<PriceField, Price>
  const { showCode, name, category, logo, sort, swapBuy, swapSell, freshnessMs, ...given } = terms
  const { markUp, sourceOrder, ...same } = given
  const { yearlyVolatility, pricePip: _p, typicalSpread: _t, referencePrice: _r, ...rest } = same
  return {
    kind: 'instrument',
    instrument: {
      ...{ ...rest, id, minStopDistance, swapRate: { buy: swapBuy, sell: swapSell } },
      ...{ lotMin: lots(terms.lotMin), lotStep: lots(terms.lotStep), lotMax: lots(terms.lotMax) },
      ...(freshnessMs !== null && { freshnessMs }),
      // What was never asked for stays as it was written: left out.
      ...((markUp !== 0 || before?.markUp !== undefined) && { markUp }),
      ...((sourceOrder.length > 0 || before?.sourceOrder !== undefined) && { sourceOrder }),
    },
    listing: {
      ...{ showCode: showCode.trim(), name: name?.trim() ?? null, category: category.trim(), logo, sort },
      ...{ pricePip, typicalSpread, referencePrice, yearlyVolatility },
    },
  }
}

const PRICE_FIELDS = ['minStopDistance', 'pricePip', 'typicalSpread', 'referencePrice'] as const
type PriceField = (typeof PRICE_FIELDS)[number]

/** What a form was opened with: what is in force, and what has been announced for it. */
export function formKeyOf(state: State, change: TermsChange): string {
  const subject = termsSubject(change)
  const before = termsInForce(state, change)
  const announced = [...state.announced.values()]
    .filter((other) => other.change.kind === change.kind && termsSubject(other.change) === subject)
    .map(({ changeId }) => changeId)
  return createHash('sha256')
    .update(JSON.stringify([before && termsChangeCodec.write(before), announced]))
    .digest('base64url')
    .slice(0, 22)
}

/** The change that a form asks for; refused where somebody has changed it since the form was opened. */
export function freshChangeOf(state: State, draft: TermsDraft): TermsChange | Refusal {
  const change = changeOf(state, draft)
  if (isRefusal(change)) return change
  const isNew = draft.kind === 'instrument' && draft.instrumentId === null
  const key = isNew ? NEW_FORM_KEY : formKeyOf(state, change)
  return key === draft.formKey ? change : refuse('formOutdated', { field: 'formKey' })
}

/** The settings of trading as their form has them. */
export const tradingTermsOf = ({ settings }: State): TradingTerms => ({ ...settings })
