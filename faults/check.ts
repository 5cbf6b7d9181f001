import type { Floor } from './floor.ts'
import { createJournalTruth, type Done, type JournalTruth } from './journal-truth.ts'
import type { Note } from './answer-log.ts'
import { STILL_MS } from './moving-prices.ts'
import type { Row } from './place.ts'
import { bugOf } from './server.ts'
import { createTableCheck } from './table-check.ts'
import type { Tally } from './tally.ts'
import { pause } from '../testing/wait.ts'

const REPEATED_EACH_ROUND = 5

/** What each call writes to the journal. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  submitOrder: ['orderPlaced', 'positionOpened'],
  closeOrder: ['positionClosed', 'positionReduced'],
  closeAllOrders: ['positionClosed'],
  reverseOrder: ['positionClosed'],
  cancelOrder: ['orderCancelled'],
  setStops: ['stopsSet'],
  setTrailing: ['stopsSet'],
  resetDemo: ['demoReset', 'positionClosed', 'orderCancelled'],
}

/**
 * After a round: asks again for what is unknown, and compares everything that was said with the journal, the tables and
 * what the API now shows.
 */
export async function checkRound(floor: Floor, tally: Tally): Promise<void> {
  const { notebook, place, truth, cashier } = floor
  await place.look(async (ask) => tally.wrong.push(...(await truth.advance(ask))))
  await cashier?.checkKept(truth, tally)
  for (const note of notebook.notes) {
    note.wasThere = truth.done(note.accountId, note.call, note.requestId).length > 0
    // Before anybody asks again: that would do it a second time, and hide the loss.
    if (note.told === 'acknowledged' && !note.wasThere) tally.lost += 1
  }
  await notebook.settle()
  await cashier?.repeat()
  tally.wrong.push(...(await notebook.repeatSome(REPEATED_EACH_ROUND)))
  // What was asked for again may have been placed beyond the last price, and fires between two looks.
  await pause(STILL_MS)
  // Whoever asks for history waits for the tables.
  const shown = await shownNow(floor)
  const notes = notebook.turnPage()
  floor.allNotes.push(...notes)
  await place.look(async (ask) => {
    tally.wrong.push(...(await truth.advance(ask)))
    tally.wrong.push(...(await floor.tables.run(ask, truth)))
    for (const row of await ask(SHOWN)) tally.wrong.push(...compareShown(row, shown))
  })
  countNotes(notes, tally)
  floor.desk?.check(truth, tally)
  await cashier?.check(truth, tally)
  judge(notes, truth, tally)
  judgeLives(truth, tally)
  countEnds(truth, tally)
  truth.touched.clear()
}

/** At the end of a fault: the whole journal read anew, and every change ever made on this floor once more. */
export async function checkWhole(floor: Floor, tally: Tally): Promise<void> {
  const truth = createJournalTruth()
  await floor.place.look(async (ask) => {
    tally.wrong.push(...(await truth.advance(ask)))
    tally.wrong.push(...(await createTableCheck().run(ask, truth)))
  })
  judge(floor.allNotes, truth, tally)
  const bug = bugOf(floor.server)
  if (bug !== null) tally.wrong.push(`the server printed: ${bug}`)
}

function countNotes(notes: readonly Note[], tally: Tally): void {
  for (const { told, wasUnknown, wasThere } of notes) {
    if (wasUnknown) tally.unknown += 1
    if (wasUnknown && wasThere) tally.unknownDone += 1
    if (told === 'acknowledged') tally.acknowledged += 1
    if (told === 'refused') tally.refused += 1
  }
}

function countEnds(truth: JournalTruth, { ends }: Tally): void {
  for (const id of truth.touched) {
    const { ended = 0, endReason = '' } = truth.life(id) ?? {}
    if (ended > 0) ends.set(endReason, (ends.get(endReason) ?? 0) + 1)
  }
}

/** Notes that share a name are one change. */
function judge(notes: readonly Note[], truth: JournalTruth, tally: Tally): void {
  const acknowledged = new Set(notes.filter(({ told }) => told === 'acknowledged').map(nameOf))
  for (const note of notes) {
    const done = truth.done(note.accountId, note.call, note.requestId)
    if (done.length > 1) tally.doubled += 1
    if (note.told === 'acknowledged' && done.length === 0 && (note.wasUnknown || note.wasThere))
      tally.lost += 1
    // A refusal is not remembered: the twin of a refused change may have come at a better moment.
    if (note.told === 'refused' && acknowledged.has(nameOf(note))) continue
    const untrue = untruth(note, done)
    if (untrue !== null) tally.wrong.push(untrue)
  }
}

const nameOf = ({ accountId, call, requestId }: Note) => `${accountId} ${call} ${requestId}`

function untruth({ call, requestId, told, reason, orderId }: Note, [done]: readonly Done[]): string | null {
  const name = `${call} ${requestId}`
  if (told === 'unknown') return `${name} never got a definite answer`
  if (told === 'refused') {
    if (reason === 'sessionGone') return `${name}: a session that was open is said to be gone`
    return done ? `${name} was refused (${reason}) and has happened` : null
  }
  if (!done) return null
  const isKind = TYPES[call]?.includes(done.types[0] ?? '') ?? true
  if (!isKind) return `${name} was acknowledged, the journal says ${done.types.join(', ')}`
  const isOrder = orderId === null || orderId === done.orderId
  return isOrder ? null : `${name} was acknowledged as order ${orderId}, the journal says ${done.orderId}`
}

/** Every price that was ever published as a sound one lies between these, in ticks. */
const LEAST_PRICE = 80_000
const MOST_PRICE = 140_000

/** No order begins, opens or ends twice, and none fills at a price nobody was shown. */
function judgeLives(truth: JournalTruth, tally: Tally): void {
  for (const id of truth.touched) {
    const life = truth.life(id)
    if (!life) continue
    if (life.placed > 1 || life.opened > 1 || life.ended > 1) tally.doubled += 1
    for (const price of [life.openPrice, life.closePrice]) {
      const isSound = price === null || (price >= LEAST_PRICE && price <= MOST_PRICE)
      if (!isSound) tally.wrong.push(`order ${id} was filled at ${price}`)
    }
  }
}

type Shown = ReadonlyMap<
  number,
  { readonly balance: bigint; readonly pending: number; readonly holding: number }
>

async function shownNow({ traders }: Floor): Promise<Shown> {
  const shown = traders.map(async (trader) => {
    const [pending, holding] = [await trader.orders('pending'), await trader.orders('holding')]
    const { balance } = await trader.figures()
    return [trader.accountId, { balance, pending: pending.total, holding: holding.total }] as const
  })
  return new Map(await Promise.all(shown))
}

const SHOWN = `select a.id, l.balance,
  (select count(*) from trade_order o where o.account_id = a.id and o.status = 'pending') as pending,
  (select count(*) from trade_order o where o.account_id = a.id and o.status = 'holding') as holding
  from account a join ledger_account l on l.id = 'available:' || a.id`

function compareShown(row: Row, shown: Shown): string[] {
  const account = shown.get(Number(row['id']))
  if (!account) return []
  return (['balance', 'pending', 'holding'] as const).flatMap((name) =>
    BigInt(account[name]) === row[name]
      ? []
      : [`account ${row['id']}: ${name} is ${account[name]} in the API, ${row[name]} in the tables`],
  )
}
