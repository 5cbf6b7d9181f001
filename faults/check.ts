import type { Harness } from './harness.ts'
import { createJournalReader, type Done, type JournalReader } from './journal-reader.ts'
import type { Note } from './answer-log.ts'
import { STILL_MS } from './moving-prices.ts'
import type { Row } from './place.ts'
import { bugOf } from './server.ts'
import { createTableCheck } from './table-check.ts'
import type { Tally } from './tally.ts'
import { pause } from '../testing/wait.ts'

const REPEATED_EACH_ROUND = 5

/** The events that each call writes to the journal. */
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
 * After a round: repeats changes with unknown outcomes, and compares all outcomes with the journal, the tables and
 * the API.
 */
export async function checkRound(harness: Harness, tally: Tally): Promise<void> {
  const { notebook, place, journal, cashier } = harness
  await place.look(async (query) => tally.wrong.push(...(await journal.advance(query))))
  await cashier?.checkKept(journal, tally)
  for (const note of notebook.notes) {
    note.wasThere = journal.done(note.accountId, note.call, note.requestId).length > 0
    // Before changes are repeated: repeating would hide the loss.
    if (note.reading === 'acknowledged' && !note.wasThere) tally.lost += 1
  }
  await notebook.settle()
  await cashier?.repeat()
  tally.wrong.push(...(await notebook.repeatSome(REPEATED_EACH_ROUND)))
  // A repeated order may have a target beyond the last price and would fire between two checks.
  await pause(STILL_MS)
  // A request for the history waits for the tables.
  const shown = await shownNow(harness)
  const notes = notebook.turnPage()
  harness.allNotes.push(...notes)
  await place.look(async (query) => {
    tally.wrong.push(...(await journal.advance(query)))
    tally.wrong.push(...(await harness.tables.run(query, journal)))
    for (const row of await query(SHOWN)) tally.wrong.push(...compareShown(row, shown))
  })
  countNotes(notes, tally)
  harness.desk?.check(journal, tally)
  await cashier?.check(journal, tally)
  checkOutcomes(notes, journal, tally)
  checkHistories(journal, tally)
  countEnds(journal, tally)
  journal.changed.clear()
}

/** At the end of a fault: checks the whole journal again, and every change of the run. */
export async function checkAll(harness: Harness, tally: Tally): Promise<void> {
  const journal = createJournalReader()
  await harness.place.look(async (query) => {
    tally.wrong.push(...(await journal.advance(query)))
    tally.wrong.push(...(await createTableCheck().run(query, journal)))
  })
  checkOutcomes(harness.allNotes, journal, tally)
  const bug = bugOf(harness.server)
  if (bug !== null) tally.wrong.push(`the server printed: ${bug}`)
}

function countNotes(notes: readonly Note[], tally: Tally): void {
  for (const { reading, wasUnknown, wasThere } of notes) {
    if (wasUnknown) tally.unknown += 1
    if (wasUnknown && wasThere) tally.unknownDone += 1
    if (reading === 'acknowledged') tally.acknowledged += 1
    if (reading === 'refused') tally.refused += 1
  }
}

function countEnds(journal: JournalReader, { ends }: Tally): void {
  for (const id of journal.changed) {
    const { ended = 0, endReason = '' } = journal.history(id) ?? {}
    if (ended > 0) ends.set(endReason, (ends.get(endReason) ?? 0) + 1)
  }
}

/** Changes with the same request id are one change. */
function checkOutcomes(notes: readonly Note[], journal: JournalReader, tally: Tally): void {
  const acknowledged = new Set(notes.filter(({ reading }) => reading === 'acknowledged').map(nameOf))
  for (const note of notes) {
    const done = journal.done(note.accountId, note.call, note.requestId)
    if (done.length > 1) tally.doubled += 1
    if (note.reading === 'acknowledged' && done.length === 0 && (note.wasUnknown || note.wasThere))
      tally.lost += 1
    // A rejection is not recorded: the duplicate of a rejected change may have been accepted later.
    if (note.reading === 'refused' && acknowledged.has(nameOf(note))) continue
    const problem = contradiction(note, done)
    if (problem !== null) tally.wrong.push(problem)
  }
}

const nameOf = ({ accountId, call, requestId }: Note) => `${accountId} ${call} ${requestId}`

function contradiction(
  { call, requestId, reading, reason, orderId }: Note,
  [done]: readonly Done[],
): string | null {
  const name = `${call} ${requestId}`
  if (reading === 'unknown') return `${name} never got a definite answer`
  if (reading === 'refused') {
    if (reason === 'sessionGone') return `${name}: a session that was open is said to be gone`
    return done ? `${name} was refused (${reason}) and has happened` : null
  }
  if (!done) return null
  const isKind = TYPES[call]?.includes(done.types[0] ?? '') ?? true
  if (!isKind) return `${name} was acknowledged, the journal says ${done.types.join(', ')}`
  const isOrder = orderId === null || orderId === done.orderId
  return isOrder ? null : `${name} was acknowledged as order ${orderId}, the journal says ${done.orderId}`
}

/** All valid published prices are between these, in ticks. */
const MIN_PRICE = 80_000
const MOST_PRICE = 140_000

/** No order is placed, opened or closed twice, and none is filled at an unpublished price. */
function checkHistories(journal: JournalReader, tally: Tally): void {
  for (const id of journal.changed) {
    const history = journal.history(id)
    if (!history) continue
    if (history.placed > 1 || history.opened > 1 || history.ended > 1) tally.doubled += 1
    for (const price of [history.openPrice, history.closePrice]) {
      const isValid = price === null || (price >= MIN_PRICE && price <= MOST_PRICE)
      if (!isValid) tally.wrong.push(`order ${id} was filled at ${price}`)
    }
  }
}

type Shown = ReadonlyMap<
  number,
  { readonly balance: bigint; readonly pending: number; readonly holding: number }
>

async function shownNow({ traders }: Harness): Promise<Shown> {
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
