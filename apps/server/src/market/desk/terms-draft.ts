import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isPublicPicture } from '@fairlot/contract'
import {
  NEW_FORM_KEY,
  type CaseNotice,
  type InstrumentTerms,
  type SessionTerms,
  type TermsDraft,
  type TermsPreview,
  type TradingTerms,
} from '@fairlot/contract/desk'
import {
  announcedAfter,
  changedLimit,
  copyingOf,
  decideTerms,
  DEFAULT_COPYING,
  DEFAULT_OPERATOR_LIMIT,
  fromTicks,
  isRejection,
  isAdverse,
  lots,
  noticeEnd,
  price,
  ratio,
  sessionText,
  termsSubject,
  toTicks,
  type CopyingSettings,
  type Instrument,
  type Listing,
  type Operator,
  type Price,
  type State,
  type TermsChange,
  type TermsProblem,
  type TermsSet,
  type TradingSettings,
} from '@fairlot/core'
import { termsCardTexts } from '../../desk/approvals/user-texts.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import { termsChangeCodec } from '../../engine/journal/event-codec.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { announcedOf } from '../terms-history.ts'
import type { Category } from '../category-book.ts'
import type { Feed } from '../feeds/feed.ts'
import { changedFields, termsBefore, termsInForce, type FieldChange } from '../terms-fields.ts'

/** The terms of an instrument as in its form. */
export function instrumentTermsOf(instrument: Instrument, listing: Listing): InstrumentTerms {
  const { id: _, swapRate, minStopDistance, ...given } = instrument
  const { freshnessMs = null, markUp = ratio(0), sourceOrder = [], ...same } = given
  const { pricePip, typicalSpread, referencePrice, yearlyVolatility, ...shown } = listing
  const inPrice = (ticks: number) => fromTicks(price(ticks), instrument.priceDecimals)
  return {
    ...same,
    ...shown,
    freshnessMs,
    markUp,
    sourceOrder,
    swapBuy: swapRate.buy,
    swapSell: swapRate.sell,
    minStopDistance: inPrice(minStopDistance),
    pricePip: inPrice(pricePip),
    typicalSpread: inPrice(typicalSpread),
    referencePrice: inPrice(referencePrice),
    yearlyVolatility: ratio(yearlyVolatility),
  }
}

export const sessionTermsOf = (state: State, name: string): SessionTerms | null => {
  const session = state.calendar.get(name)
  return session ? sessionText(session) : null
}

const wrong = (field: string, why: TermsProblem): Refusal => refuse('termsInvalid', { field, why })

/** Turns a form into a change of terms. An invalid field is rejected by name. */
function changeOf(state: State, draft: TermsDraft): TermsChange | Refusal {
  switch (draft.kind) {
    case 'settings':
      return draft.settings
        ? { kind: 'settings', settings: settingsOf(state, draft.settings) }
        : wrong('settings', 'missing')
    case 'calendar':
      return draft.session ? { kind: 'calendar', session: draft.session } : wrong('session', 'missing')
    case 'instrument':
      return draft.instrument
        ? instrumentChange(state, draft.instrumentId, draft.instrument)
        : wrong('instrument', 'missing')
  }
}

/** The settings of a form. Settings of copying that were never changed from the defaults stay left out. */
function settingsOf({ settings: before }: State, form: TradingTerms): TradingSettings {
  const { copyMinAmount, isDemoCopyOn, isRealCopyOn, copyLegalBasis, ...rest } = form
  const { maxCopiesPerUser, maxCopiesPerProvider, providerMinEquity, ...settings } = rest
  const copying: CopyingSettings = {
    minAmount: copyMinAmount,
    maxCopiesPerUser,
    maxCopiesPerProvider,
    providerMinEquity,
    isDemoOn: isDemoCopyOn,
    isRealOn: isRealCopyOn,
    legalBasis: copyLegalBasis.trim(),
  }
  const isKept = before.copying === undefined && isDeepStrictEqual(copying, DEFAULT_COPYING)
  return { ...settings, ...(!isKept && { copying }) }
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
      ...rest,
      id,
      minStopDistance,
      swapRate: { buy: swapBuy, sell: swapSell },
      lotMin: lots(terms.lotMin),
      lotStep: lots(terms.lotStep),
      lotMax: lots(terms.lotMax),
      ...(freshnessMs !== null && { freshnessMs }),
      // Optional terms that were never set stay left out.
      ...((markUp !== 0 || before?.markUp !== undefined) && { markUp }),
      ...((sourceOrder.length > 0 || before?.sourceOrder !== undefined) && { sourceOrder }),
    },
    listing: {
      showCode: showCode.trim(),
      name: name?.trim() ?? null,
      category: category.trim(),
      logo,
      sort,
      pricePip,
      typicalSpread,
      referencePrice,
      yearlyVolatility,
    },
  }
}

const PRICE_FIELDS = ['minStopDistance', 'pricePip', 'typicalSpread', 'referencePrice'] as const
type PriceField = (typeof PRICE_FIELDS)[number]

/** Identifies the state with which a form was opened: the terms in force and the changes announced for them. */
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

/** The change in a form; rejected if the terms have changed since the form was opened. */
function freshChangeOf(state: State, draft: TermsDraft): TermsChange | Refusal {
  const change = changeOf(state, draft)
  if (isRefusal(change)) return change
  const isNew = draft.kind === 'instrument' && draft.instrumentId === null
  const key = isNew ? NEW_FORM_KEY : formKeyOf(state, change)
  return key === draft.formKey ? change : refuse('formOutdated', { field: 'formKey' })
}

/** The trading settings as in their form. */
export function tradingTermsOf({ settings: { copying, ...settings } }: State): TradingTerms {
  const { minAmount, isDemoOn, isRealOn, legalBasis, ...limits } = copyingOf({ copying })
  return {
    ...settings,
    fourEyesOperatorLimit: settings.fourEyesOperatorLimit ?? DEFAULT_OPERATOR_LIMIT,
    ...limits,
    isDemoCopyOn: isDemoOn,
    isRealCopyOn: isRealOn,
    copyLegalBasis: legalBasis,
    copyMinAmount: minAmount,
  }
}

/** Added to the notice, so that a notice given to the minute is not too short by the time it takes to send. */
const MINUTE_MS = 60_000

export type TermsPlan = {
  readonly change: TermsChange
  /** Null: at once. */
  readonly effectiveAt: number | null
  /** The terms on which the preview is based. */
  readonly formKey: string
  readonly preview: TermsPreview
  /** True if it changes a two-operator limit, so that an operator who may decide about limits must approve. */
  readonly isLimit: boolean
}

type Planning = {
  readonly at: number
  readonly operator: DeskOperator
  /** The available sources of prices. */
  readonly sources: readonly Pick<Feed, 'name' | 'kind'>[]
  readonly categories: readonly Pick<Category, 'code'>[]
}

/** The category of an instrument must exist. */
export function checkCategory(change: TermsChange, categories: Planning['categories']): Refusal | null {
  if (change.kind !== 'instrument' || change.listing === null) return null
  const { category } = change.listing
  return category === '' || categories.some(({ code }) => code === category)
    ? null
    : refuse('termsInvalid', { field: 'category', why: 'unknownCategory' })
}

/** A new order of sources must name existing ones of one kind, since prices of two kinds are two different markets. */
function checkSources(state: State, change: TermsChange, sources: Planning['sources']): Refusal | null {
  if (change.kind !== 'instrument') return null
  const { id, sourceOrder = [] } = change.instrument
  const before = state.instruments.get(id)?.sourceOrder ?? []
  if (sourceOrder.join() === before.join()) return null
  const kinds = sourceOrder.map((name) => sources.find((source) => source.name === name)?.kind)
  const why: TermsProblem | null = kinds.includes(undefined)
    ? 'unknownSource'
    : new Set(kinds).size > 1
      ? 'otherKind'
      : null
  return why && refuse('termsInvalid', { field: 'sourceOrder', why })
}

/** Previews a change requested at `at`, epoch ms on the market clock. Rejected as by the engine, unless a second operator may approve it. */
export function planTerms(
  state: State,
  draft: TermsDraft,
  { at, operator, sources, categories }: Planning,
): TermsPlan | Refusal {
  const change = freshChangeOf(state, draft)
  if (isRefusal(change)) return change
  const unknown = checkSources(state, change, sources) ?? checkCategory(change, categories)
  if (unknown) return unknown
  const effectiveAt = effectiveTimeOf(state, draft, change, at)
  const by: Operator = { type: 'operator', id: operator.id, role: operator.role, reason: '', second: null }
  const decided = decideTerms(state, { type: 'setTerms', at, change, effectiveAt, by })
  const needsSecond = isRejection(decided) && decided.rejected === 'secondOperatorNeeded'
  if (isRejection(decided) && !needsSecond) return decided
  const from = effectiveAt ?? at
  const changes = fieldsBefore(state, change, from)
  if (changes.length === 0) return refuse('nothingChanged')
  return {
    change,
    effectiveAt,
    formKey: formKeyOf(state, change),
    isLimit: changedLimit(state, change, from) !== null,
    preview: {
      changes,
      needsSecond,
      isWorse: isAdverse(state, change, from),
      effectiveAt: from,
      earliestAt: earliestFor(state, change, at),
      withdraws: announcedAfter(state, change, from).map((announced) => withdrawnOf(state, announced)),
      ...affectedOrders(state, change),
    },
  }
}

/** An announced change that another one withdraws, with the values that it would have replaced. */
const withdrawnOf = (state: State, { changeId, effectiveAt, change }: TermsSet) => ({
  changeId,
  effectiveAt,
  changes: changedFields(termsBefore(state, change, effectiveAt, changeId), change),
})

const fieldsBefore = (state: State, change: TermsChange, from: number): readonly FieldChange[] =>
  changedFields(termsBefore(state, change, from), change)

function effectiveTimeOf(state: State, { effect, effectiveAt }: TermsDraft, change: TermsChange, at: number) {
  if (effect === 'at') return effectiveAt
  if (effect === 'now') return null
  const earliest = earliestFor(state, change, at)
  return earliest !== null && earliest > at ? earliest : null
}

/** The earliest time for which one operator is enough; null if the market is never open that long. */
function earliestFor(state: State, change: TermsChange, at: number): number | null {
  const end = noticeEnd(state, change, at, state.settings.noticeMs + MINUTE_MS)
  if (!Number.isFinite(end)) return isAdverse(state, change, at) ? null : at
  const afterNotice = Math.ceil(end / MINUTE_MS) * MINUTE_MS
  return isAdverse(state, change, afterNotice) ? afterNotice : at
}

/** The number of active orders that a change affects. */
function affectedOrders(
  state: State,
  change: TermsChange,
): Pick<TermsPreview, 'positions' | 'pendingOrders'> {
  const counts = { positions: 0, pendingOrders: 0 }
  for (const { instrumentId, status } of state.orders.values()) {
    if (!concerns(state, change, instrumentId)) continue
    counts[status === 'holding' ? 'positions' : 'pendingOrders'] += 1
  }
  return counts
}

function concerns(state: State, change: TermsChange, instrumentId: number): boolean {
  switch (change.kind) {
    case 'settings':
      return true
    case 'instrument':
      return change.instrument.id === instrumentId
    case 'calendar':
      return state.instruments.get(instrumentId)?.session === change.session.name
    case 'source':
      return change.instrumentId === instrumentId
  }
}

type ChangeToAnnounce = {
  readonly change: TermsChange
  /** Epoch ms on the market clock; null: at once. */
  readonly effectiveAt: number | null
  readonly reason: string
}

/**
 * The announcement of a change of terms that a second operator approves at `at`, or the reason why there is none. Times are
 * in UTC.
 */
export function termsTexts(
  state: State,
  { change, effectiveAt, reason }: ChangeToAnnounce,
  at: number,
): CaseNotice[] | string {
  const isInForce = effectiveAt === null || effectiveAt <= at
  const from = isInForce ? at : effectiveAt
  const announced = announcedOf(state, { changeId: Infinity, effectiveAt: from, change })
  if (!announced) return 'Users are shown nothing: this concerns only lists.'
  const isUrgent = from < noticeEnd(state, change, at)
  return cardTexts(state, { ...announced, isUrgent, isInForce, reason })
}

/** What users read once an announced change is withdrawn at `at`, or the reason why there is nothing. */
export function withdrawalTexts(
  state: State,
  { changeId, reason }: { readonly changeId: number; readonly reason: string },
  at: number,
): CaseNotice[] | string {
  const event = state.announced.get(changeId)
  const announced = event && announcedOf(state, event)
  if (!announced) return 'Users are shown nothing: this concerns only lists.'
  return cardTexts(state, { ...announced, isUrgent: false, isInForce: false, reason, withdrawnAt: at })
}

function cardTexts(state: State, card: Parameters<typeof termsCardTexts>[1]): CaseNotice[] {
  const codeOf = (id: number) => state.listings.get(id)?.showCode ?? null
  const isMarginFixed = (id: number) => state.instruments.get(id)?.marginMode === 'fixed'
  const isFeeOfMargin = state.settings.feeType !== 'fixed'
  return termsCardTexts({ codeOf, isMarginFixed, isFeeOfMargin }, card)
}
