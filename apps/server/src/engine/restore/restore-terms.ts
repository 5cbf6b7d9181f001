/** Terms, marked hours and nights under way, out of the tables. */
import { evolveEvent, type Core, type ReceiptTick, type TermsSet } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import type { NightTable, TermsChangeTable } from '../../database/schema.ts'
import { decodeNightRates } from '../journal/event-codec.ts'
import { tickFrom } from '../projection/row-mapping.ts'
import { decodeTermsChange } from '../journal/terms-codec.ts'

/** Before any moment: what is to hold from a later one is announced. */
const BEFORE_ALL = -1

export async function loadTerms(queries: Queries, core: Core): Promise<void> {
  const { state } = core
  for (const row of await termsInForce(queries)) evolveEvent(core, termsOf(row, BEFORE_ALL), BEFORE_ALL)
  const announced = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('version', 'is', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('change_id')
    .execute()
  for (const row of announced) evolveEvent(core, termsOf(row, Number(row.effective_at)), BEFORE_ALL)
  const newest = await queries
    .selectFrom('terms_change')
    .select(({ fn }) => [fn.max('version').as('version'), fn.max('change_id').as('changeId')])
    .executeTakeFirst()
  state.termsVersion = Number(newest?.version ?? 0n)
  state.lastChangeId = Number(newest?.changeId ?? 0n)
}

const termsOf = (row: TermsChangeTable, effectiveAt: number): TermsSet => ({
  type: 'termsSet',
  changeId: Number(row.change_id),
  effectiveAt,
  change: decodeTermsChange(row.body),
})

/**
 * The last change of each subject that has taken effect, in the order in which the subjects came: by it currencies find their
 * way to each other. An instrument whose last change was silent about its listing is preceded by the one that was not.
 */
async function termsInForce(queries: Queries): Promise<TermsChangeTable[]> {
  const last = await queries
    .selectFrom('terms_change')
    .innerJoin(
      (inner) =>
        inner
          .selectFrom('terms_change')
          .select(({ fn }) => [
            ...(['kind as newestKind', 'subject as newestSubject'] as const),
            fn.max('version').as('newest'),
            fn.min('version').as('first'),
          ])
          .where('version', 'is not', null)
          .groupBy(['kind', 'subject'])
          .as('newest'),
      (join) =>
        join
          .onRef('terms_change.kind', '=', 'newest.newestKind')
          .onRef('terms_change.subject', '=', 'newest.newestSubject')
          .onRef('terms_change.version', '=', 'newest.newest'),
    )
    .selectAll('terms_change')
    .orderBy('newest.first')
    .execute()
  const inForce: TermsChangeTable[] = []
  for (const row of last) {
    const change = decodeTermsChange(row.body)
    const listed =
      change.kind === 'instrument' && change.listing === null ? await lastListed(queries, row) : null
    inForce.push(...(listed ? [listed] : []), row)
  }
  return inForce
}

/** The last change in force that says what lists show of an instrument. */
async function lastListed(queries: Queries, { kind, subject }: TermsChangeTable) {
  const found = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('version', 'is not', null)
    .where('body', 'not like', '%"listing":null}')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The last marked hour and night, and nights under way with the prices of their moment. */
export async function loadMarks(queries: Queries, core: Core): Promise<void> {
  const { state } = core
  const nights = await queries
    .selectFrom('night')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('rollover')
    .execute()
  for (const night of nights) {
    const prices = await queries
      .selectFrom('price_mark')
      .selectAll()
      .where('moment', '=', night.rollover)
      .orderBy('instrument_id')
      .execute()
    openNight(core, night, prices.map(tickFrom))
  }
  const { lastMark, lastNight } = await queries
    .selectNoFrom((select) => [
      select
        .selectFrom('price_moment')
        .select(({ fn }) => fn.max('moment').as('moment'))
        .as('lastMark'),
      select
        .selectFrom('night')
        .select(({ fn }) => fn.max('rollover').as('rollover'))
        .as('lastNight'),
    ])
    .executeTakeFirstOrThrow()
  state.lastMark = Math.max(state.lastMark, Number(lastMark ?? 0n))
  state.lastNight = Math.max(state.lastNight, Number(lastNight ?? 0n))
}

/** Its terms may have changed since. */
function openNight(core: Core, { rollover, rates, terms }: NightTable, prices: readonly ReceiptTick[]): void {
  const moment = Number(rollover)
  evolveEvent(core, { type: 'pricesMarked', moment, prices, night: decodeNightRates(rates) }, moment)
  const { nights } = core.state
  const night = nights.get(moment)
  if (night) nights.set(moment, { ...night, terms: Number(terms ?? 0n) })
}
