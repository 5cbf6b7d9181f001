/** Somebody whose money comes and goes on a server under test, the desk that decides about it, and whether each case ends once. */
import {
  askWithdrawal,
  getFunds,
  getWithdrawal,
  takeBackWithdrawal,
  tellWireDeposit,
  valueOf,
  type Outcome,
} from '@fairlot/contract'
import {
  approveWithdrawal,
  askPersonAdjustment,
  decideAdjustment,
  finishDeposit,
  payWithdrawal,
} from '@fairlot/contract/desk'
import { money, type Money } from '@fairlot/core'
import { addOperator, DESK_PASSWORD, enrolAdministrator, type OnDesk } from '../testing/on-desk.ts'
import { newPayer, type Payer } from '../testing/payer.ts'
import { openPayments } from '../testing/payments.ts'
import { sendPicture } from '../testing/picture.ts'
import { until } from '../testing/wait.ts'
import type { JournalTruth } from './journal-truth.ts'
import type { Place } from './place.ts'
import type { Tally } from './tally.ts'

/** Of each kind of case, in every round. */
const EACH = 4
const UNIT = 1_000_000n
const [START, TOLD, ARRIVED, ARRIVED_AGAIN, OUT] = [5_000n, 100n, 90n, 80n, 50n].map((whole) =>
  money(whole * UNIT),
) as [Money, Money, Money, Money, Money]
const REASON = 'a trial'
const MAIL_WITHIN_MS = 60_000

/** What tells a server that money comes and goes on it, and how. */
export const CASHIER_ENV = {
  ...{ DESK_PASSWORD, SETTING_PAYOUT_WAIT_HOURS: '0', SETTING_UNVERIFIED_MAY_WITHDRAW: '1' },
} as const

type People = { readonly payer: Payer; readonly finance: OnDesk; readonly second: OnDesk }

/** A case that is decided at the moment of the fault. */
type Deciding = {
  readonly id: number
  readonly kind: 'deposit' | 'approved' | 'waiting'
  /** What was said to the first who decided; of one that waits to its owner, then to the desk. */
  readonly first: readonly Promise<Outcome<unknown>>[]
  /** What was said when it was decided once more; null before. */
  again: Outcome<unknown> | null
}

export type Cashier = {
  /** Has deposits told of and withdrawals asked for; some are approved. */
  prepare(): Promise<void>
  /** Decides all of them at once, and waits for nothing. */
  decide(): void
  /** Counts what was acknowledged and is not in the journal; call it before anybody asks again. */
  checkKept(truth: JournalTruth, tally: Tally): Promise<void>
  /** Decides all of them once more, otherwise than before: so does whoever got no answer. */
  repeat(): Promise<void>
  /** Every case has one end, the one that was told; the money is where that leads. */
  check(truth: JournalTruth, tally: Tally): Promise<void>
}

export async function openCashier(url: string, place: Place): Promise<Cashier> {
  const people = await hire(url, place)
  let deciding: Deciding[] = []
  let [prepared, count]: [Pick<Deciding, 'id' | 'kind'>[], number] = [[], 0]
  return {
    prepare: async () => {
      prepared = []
      for (let index = 0; index < EACH; index += 1) {
        const proof = await sendPicture(url, people.payer.token, (count += 1))
        prepared.push(...(await openCases(people, proof)))
      }
    },
    decide: () => {
      deciding = prepared.map((each) => ({ ...each, first: firstOf(people, each), again: null }))
    },
    checkKept: async (truth, tally) => {
      for (const { id, kind, first } of deciding) {
        const [said] = await Promise.all(first)
        const isKnown = said?.ok === true || (said !== undefined && !isUnknown(said))
        if (said?.ok) tally.acknowledged += 1
        else if (isKnown) tally.refused += 1
        else tally.unknown += 1
        const ends = truth.cases.get(id)?.ends ?? 0
        if (said?.ok === true && ends === 0) tally.lost += 1
        if (!isKnown && ends > 0) tally.unknownDone += 1
        // Not decided in time is a refusal for certain: the next decision is the first.
        if (kind !== 'waiting' && said?.ok === false && isKnown && said.reason !== 'notDone')
          tally.wrong.push(`the only decision about case ${id} was refused: ${said.reason}`)
      }
    },
    repeat: async () => {
      for (const each of deciding) each.again = await againOf(people, each)
    },
    check: async (truth, tally) => {
      for (const each of deciding) await checkCase(people, each, truth, tally)
      tally.wrong.push(...(await checkFunds(people.payer, truth)))
      deciding = []
    },
  }
}

async function hire(url: string, place: Place): Promise<People> {
  const second = await enrolAdministrator({ url })
  const compliance = await addOperator({ url }, second, { name: 'Compliance', role: 'compliance' })
  const finance = await addOperator({ url }, second, {
    ...{ name: 'Finance', role: 'finance', second: compliance },
  })
  await openPayments(finance, second)
  const payer = await newPayer(url, 'payer@example.com', (email) => codeIn(place, email))
  const booked = { id: payer.accountId, amount: START, reason: REASON }
  await finance.ask(askPersonAdjustment, booked)
  await second.ask(decideAdjustment, { id: 1, isApproved: true, reason: REASON })
  return { payer, finance, second }
}

/** Messages stay in the database where there is no mail server. */
const codeIn = (place: Place, email: string): Promise<string> =>
  until(`a code for ${email}`, MAIL_WITHIN_MS, () =>
    place.look(async (ask) => {
      const [row] = await ask(`select body from outbox where recipient = '${email}'`)
      return /\b\d{6}\b/.exec(String(row?.['body']))?.[0] ?? null
    }),
  )

async function openCases(
  { payer, finance }: People,
  proof: string,
): Promise<Pick<Deciding, 'id' | 'kind'>[]> {
  const deposit = await payer.client.call(tellWireDeposit, {
    ...{ amount: TOLD, proof, wireId: 1, reference: '' },
  })
  const ask = () =>
    payer.client.call(askWithdrawal, {
      ...{ currencyId: 1, amount: OUT, memo: '', methodId: payer.methodId, authCode: null },
    })
  const [approved, waiting] = [valueOf(await ask()), valueOf(await ask())]
  await finance.ask(approveWithdrawal, { id: approved.id, reason: REASON })
  return [
    { id: valueOf(deposit).id, kind: 'deposit' },
    { id: approved.id, kind: 'approved' },
    { id: waiting.id, kind: 'waiting' },
  ]
}

const takeBack = ({ payer }: People, id: number) =>
  payer.client.call(takeBackWithdrawal, { id }, { requestId: `take back ${id}` })

function firstOf(people: People, { id, kind }: Pick<Deciding, 'id' | 'kind'>): Promise<Outcome<unknown>>[] {
  const { finance } = people
  switch (kind) {
    case 'deposit':
      return [finance.try(finishDeposit, { id, amount: ARRIVED, reason: REASON })]
    case 'approved':
      return [finance.try(payWithdrawal, { id, reference: `first ${id}`, reason: REASON })]
    case 'waiting':
      return [takeBack(people, id), finance.try(approveWithdrawal, { id, reason: REASON })]
  }
}

async function againOf(people: People, { id, kind }: Deciding): Promise<Outcome<unknown>> {
  const { second } = people
  const pay = () => second.try(payWithdrawal, { id, reference: `again ${id}`, reason: REASON })
  if (kind === 'deposit') return second.try(finishDeposit, { id, amount: ARRIVED_AGAIN, reason: REASON })
  if (kind === 'approved') return pay()
  const back = await takeBack(people, id)
  // It was approved before the fault: whoever approved it pays it.
  return !back.ok && back.reason === 'withdrawalApproved' ? pay() : back
}

const UNKNOWN = new Set(['network', 'cancelled', 'unreadable', 'engineUnavailable', 'internal'])
const isUnknown = (outcome: Outcome<unknown>): boolean => !outcome.ok && UNKNOWN.has(outcome.reason)

async function checkCase(
  { payer }: People,
  { id, kind, first, again }: Deciding,
  truth: JournalTruth,
  tally: Tally,
): Promise<void> {
  const ending = truth.cases.get(id)
  const { wrong } = tally
  if (!ending || again === null || isUnknown(again)) return void wrong.push(`case ${id} has no end`)
  if (ending.ends > 1) tally.doubled += 1
  const [said] = await Promise.all(first)
  if (kind === 'deposit') {
    const amount = again.ok ? ARRIVED_AGAIN : ARRIVED
    if (said?.ok && again.ok) wrong.push(`deposit ${id} was credited to two people's word`)
    if (ending.amount !== amount)
      wrong.push(`deposit ${id} was finished at ${amount} and credited ${ending.amount}`)
    return
  }
  const shown = valueOf(await payer.client.call(getWithdrawal, { id }))
  if (shown.status !== ending.outcome)
    wrong.push(`withdrawal ${id} is ${shown.status} in the API, ${ending.outcome} in the journal`)
  if (kind === 'waiting') return
  if (said?.ok && again.ok) wrong.push(`withdrawal ${id} was paid by two people`)
  const reference = `${again.ok ? 'again' : 'first'} ${id}`
  if (shown.reference !== reference)
    wrong.push(`withdrawal ${id} was paid as ${reference} and shows ${shown.reference}`)
}

/** Whatever the journal has credited and paid, and nothing else. */
async function checkFunds({ accountId, client }: Payer, { cases }: JournalTruth): Promise<string[]> {
  const own = [...cases.values()].filter((each) => each.accountId === accountId)
  const sum = (outcome: string) =>
    own.filter((each) => each.outcome === outcome).reduce((total, each) => total + each.amount, 0n)
  const expected =
    START + sum('finished') - BigInt(own.filter(({ outcome }) => outcome === 'paid').length) * OUT
  const { available, frozen } = valueOf(await client.call(getFunds, null))
  return available === expected && frozen === 0n
    ? []
    : [`the payer has ${available} and ${frozen} frozen, not ${expected}`]
}
