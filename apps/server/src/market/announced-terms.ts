/** Changes of terms as traders are shown them beforehand (trading-rules §10). */
import type { TermsChange as ShownChange } from '@fairlot/contract'
import type { Author, State, TermsChange, TermsSet } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { Engine } from '../engine/engine.ts'
import { authorCodec } from '../engine/journal/terms-codec.ts'
import { isRefusal, readEngine, type Refusal } from '../http/refusal.ts'
import { changedFields, termsBefore } from './terms-fields.ts'

/** What concerns whoever trades; the others are for prices that are let in, and for lists. */
const TOLD: ReadonlySet<string> = new Set([
  ...['isEnabled', 'baseCurrency', 'quoteCurrency', 'priceDecimals', 'contractSize', 'marginMode'],
  ...['leverages', 'lotMin', 'lotStep', 'lotMax', 'feeRate', 'swapBuy', 'swapSell', 'tripleSwapDay'],
  ...[
    'markUp',
    'sourceOrder',
    'minStopDistance',
    'session',
    'showCode',
    'category',
    'zone',
    'windows',
    'holidays',
  ],
  ...['feeType', 'stopOutLevel', 'warningLevel', 'maxLivingOrders', 'noticeMs', 'freshnessMs'],
])

type Announced = Omit<ShownChange, 'announcedAt' | 'reason' | 'isUrgent'> & { readonly noticeMs: number }

/** The next one first. */
export async function listAnnounced(queries: Queries, engine: Engine): Promise<ShownChange[] | Refusal> {
  const announced = await readEngine(engine, (state) =>
    [...state.announced.values()].flatMap((event) => announcedOf(state, event) ?? []),
  )
  if (isRefusal(announced)) return announced
  if (announced.length === 0) return []
  // Who was just told of a change asks at once: the tables must hold it by then.
  await engine.caughtUp()
  const rows = await queries
    .selectFrom('terms_change')
    .select(['change_id', 'at', 'author', 'reason'])
    .where(
      'change_id',
      'in',
      announced.map(({ id }) => BigInt(id)),
    )
    .execute()
  const decided = new Map(rows.map((row) => [Number(row.change_id), row]))
  return announced
    .flatMap(({ noticeMs, ...change }): ShownChange[] => {
      const row = decided.get(change.id)
      if (!row) return []
      const author = authorCodec.read(JSON.parse(row.author)) as Author
      const isUrgent =
        author.type === 'operator' && author.second !== null && change.effectiveAt - Number(row.at) < noticeMs
      return [{ ...change, announcedAt: Number(row.at), reason: row.reason, isUrgent }]
    })
    .toSorted((a, b) => a.effectiveAt - b.effectiveAt || a.id - b.id)
}

/** What traders are told of a change beforehand; null where nothing of it concerns them. */
export function announcedOf(
  state: State,
  { changeId, effectiveAt, change }: Pick<TermsSet, 'changeId' | 'effectiveAt' | 'change'>,
): Announced | null {
  if (change.kind === 'source') return null
  const before = termsBefore(state, change, effectiveAt, changeId)
  const fields = changedFields(before, change).filter(({ field }) => TOLD.has(field))
  if (fields.length === 0) return null
  const { noticeMs } = state.settings
  return {
    id: changeId,
    kind: change.kind,
    instrumentIds: concerned(state, change),
    fields,
    effectiveAt,
    noticeMs,
  }
}

function concerned({ instruments }: State, change: TermsChange): number[] {
  if (change.kind === 'instrument') return [change.instrument.id]
  if (change.kind !== 'calendar') return []
  return [...instruments.values()]
    .filter(({ session }) => session === change.session.name)
    .map(({ id }) => id)
}
