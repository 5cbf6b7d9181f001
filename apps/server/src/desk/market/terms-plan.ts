/** What would come of a change of terms if it were asked for now. */
import type { TermsDraft, TermsPreview } from '@fairlot/contract/desk'
import {
  decideTerms,
  isRejection,
  isWorse,
  type Operator,
  type State,
  type TermsChange,
  type TermsProblem,
} from '@fairlot/core'
import type { Feed } from '../../feeds/feed.ts'
import type { Category } from '../../market/category-book.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { changedFields, termsBefore, type FieldChange } from '../../market/terms-fields.ts'
import type { DeskOperator } from '../operator.ts'
import { formKeyOf, freshChangeOf } from './terms-draft.ts'

/** A notice that is given to the minute is never too short by the time that its sending takes. */
const MINUTE_MS = 60_000

export type TermsPlan = {
  readonly change: TermsChange
  /** Null: at once. */
  readonly effectiveAt: number | null
  /** What it was measured by. */
  readonly formKey: string
  readonly preview: TermsPreview
}

type Planning = {
  readonly at: number
  readonly operator: DeskOperator
  /** What there is to be priced by. */
  readonly sources: readonly Pick<Feed, 'name' | 'kind'>[]
  readonly categories: readonly Pick<Category, 'code'>[]
}

/** An instrument goes into a category that is there. */
export function checkCategory(change: TermsChange, categories: Planning['categories']): Refusal | null {
  if (change.kind !== 'instrument' || change.listing === null) return null
  const { category } = change.listing
  return category === '' || categories.some(({ code }) => code === category)
    ? null
    : refuse('termsInvalid', { field: 'category', why: 'unknownCategory' })
}

/** A new order names sources that are there, of one kind: prices of two kinds are two markets. */
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

/** `at` is now, epoch ms on the market clock. Refused as the engine would refuse it, except for what a second person may allow. */
export function planTerms(
  state: State,
  draft: TermsDraft,
  { at, operator, sources, categories }: Planning,
): TermsPlan | Refusal {
  const change = freshChangeOf(state, draft)
  if (isRefusal(change)) return change
  const unknown = checkSources(state, change, sources) ?? checkCategory(change, categories)
  if (unknown) return unknown
  const effectiveAt = momentOf(state, draft, change, at)
  const by: Operator = { type: 'operator', id: operator.id, role: operator.role, reason: '', second: null }
  const decided = decideTerms(state, { type: 'setTerms', at, change, effectiveAt, by })
  const needsSecond = isRejection(decided) && FOR_TWO.has(decided.rejected)
  if (isRejection(decided) && !needsSecond) return decided
  const from = effectiveAt ?? at
  const changes = fieldsBefore(state, change, from)
  if (changes.length === 0) return refuse('nothingChanged')
  return {
    ...{ change, effectiveAt, formKey: formKeyOf(state, change) },
    preview: {
      ...{ changes, needsSecond, isWorse: isWorse(state, change, from), effectiveAt: from },
      earliestAt: earliestFor(state, change, at),
      ...touchedBy(state, change),
    },
  }
}

const FOR_TWO: ReadonlySet<string> = new Set(['noticeTooShort', 'secondOperatorNeeded'])

const fieldsBefore = (state: State, change: TermsChange, from: number): readonly FieldChange[] =>
  changedFields(termsBefore(state, change, from), change)

function momentOf(state: State, { effect, effectiveAt }: TermsDraft, change: TermsChange, at: number) {
  if (effect === 'at') return effectiveAt
  if (effect === 'now') return null
  const earliest = earliestFor(state, change, at)
  return earliest > at ? earliest : null
}

/** The earliest moment for which one person is enough. */
function earliestFor(state: State, change: TermsChange, at: number): number {
  const noticed = Math.ceil((at + state.settings.noticeMs) / MINUTE_MS + 1) * MINUTE_MS
  return isWorse(state, change, noticed) ? noticed : at
}

/** Orders that live on what would change. */
function touchedBy(state: State, change: TermsChange): Pick<TermsPreview, 'positions' | 'pendingOrders'> {
  const touched = { positions: 0, pendingOrders: 0 }
  for (const { instrumentId, status } of state.orders.values()) {
    if (!concerns(state, change, instrumentId)) continue
    touched[status === 'holding' ? 'positions' : 'pendingOrders'] += 1
  }
  return touched
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
