/**
 * A user who deposits and withdraws on a server under test, the operators who decide, and checks that each case ends
 * once.
 */
import {
  requestWithdrawal,
  getFunds,
  getWithdrawal,
  cancelWithdrawal,
  reportWireDeposit,
  valueOf,
  type Outcome,
} from '@fairlot/contract'
import {
  approveWithdrawal,
  requestAdjustment,
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
import type { JournalReader } from './journal-reader.ts'
import type { Place } from './place.ts'
import type { Tally } from './tally.ts'

/** Cases of each kind in every round. */
const CASES_PER_KIND = 4
const UNIT = 1_000_000n
const [START, REPORTED, ARRIVED, ARRIVED_AGAIN, OUT] = [5_000n, 100n, 90n, 80n, 50n].map((whole) =>
  money(whole * UNIT),
) as [Money, Money, Money, Money, Money]
/** Dollars as amounts sent, which have eight decimals. */
const inSent = (amount: Money): bigint => amount * 100n
const REASON = 'a trial'
const MAIL_WITHIN_MS = 60_000

/** Settings of a server with deposits and withdrawals. */
export const CASHIER_ENV = {
  DESK_PASSWORD,
  SETTING_PAYOUT_WAIT_HOURS: '0',
  SETTING_UNVERIFIED_MAY_WITHDRAW: '1',
  // A hundred rounds are more money than one operator may decide in a day.
  SETTING_FOUR_EYES_LIMIT: '1000000000',
  SETTING_FOUR_EYES_OPERATOR_LIMIT: '1000000000',
} as const

type Staff = { readonly payer: Payer; readonly finance: OnDesk; readonly second: OnDesk }

/** A case that is decided at the moment of the fault. */
type Deciding = {
  readonly id: number
  readonly kind: 'deposit' | 'approved' | 'waiting'
  /** Outcomes of the first decisions; for a waiting withdrawal that of its owner, then that of the desk. */
  readonly first: readonly Promise<Outcome<unknown>>[]
  /** Outcome of the second decision; null before. */
  again: Outcome<unknown> | null
}

export type Cashier = {
  /** Reports deposits and requests withdrawals; some are approved. */
  prepare(): Promise<void>
  /** Decides all of them at once without waiting. */
  decide(): void
  /** Counts acknowledged decisions that are not in the journal; call it before they are repeated. */
  checkKept(journal: JournalReader, tally: Tally): Promise<void>
  /** Decides all of them again with other values, as an operator without an answer would. */
  repeat(): Promise<void>
  /** Checks that every case ended once, as acknowledged, and that the money agrees. */
  check(journal: JournalReader, tally: Tally): Promise<void>
}

export async function openCashier(url: string, place: Place): Promise<Cashier> {
  const staff = await prepareStaff(url, place)
  let deciding: Deciding[] = []
  let [prepared, count]: [Pick<Deciding, 'id' | 'kind'>[], number] = [[], 0]
  return {
    prepare: async () => {
      prepared = []
      for (let index = 0; index < CASES_PER_KIND; index += 1) {
        const proof = await sendPicture(url, staff.payer.token, (count += 1))
        prepared.push(...(await openCases(staff, proof)))
      }
    },
    decide: () => {
      deciding = prepared.map((each) => ({ ...each, first: firstOf(staff, each), again: null }))
    },
    checkKept: async (journal, tally) => {
      for (const { id, kind, first } of deciding) {
        const [answer] = await Promise.all(first)
        const isKnown = answer?.ok === true || (answer !== undefined && !isUnknown(answer))
        if (answer?.ok) tally.acknowledged += 1
        else if (isKnown) tally.refused += 1
        else tally.unknown += 1
        const ends = journal.cases.get(id)?.ends ?? 0
        if (answer?.ok === true && ends === 0) tally.lost += 1
        if (!isKnown && ends > 0) tally.unknownDone += 1
        // A decision that was not made in time is a definite rejection: the next one is the first.
        if (kind !== 'waiting' && answer?.ok === false && isKnown && answer.reason !== 'notDone')
          tally.wrong.push(`the only decision about case ${id} was refused: ${answer.reason}`)
      }
    },
    repeat: async () => {
      for (const each of deciding) each.again = await againOf(staff, each)
    },
    check: async (journal, tally) => {
      for (const each of deciding) await checkCase(staff, each, journal, tally)
      tally.wrong.push(...(await checkFunds(staff.payer, journal)))
      deciding = []
    },
  }
}

async function prepareStaff(url: string, place: Place): Promise<Staff> {
  const second = await enrolAdministrator({ url })
  const compliance = await addOperator({ url }, second, { name: 'Compliance', role: 'compliance' })
  const finance = await addOperator({ url }, second, {
    name: 'Finance',
    role: 'finance',
    second: compliance,
  })
  await openPayments(finance, second)
  const payer = await newPayer(url, 'payer@example.com', (email) => codeIn(place, email))
  const booked = { id: payer.accountId, amount: START, reason: REASON }
  await finance.request(requestAdjustment, booked)
  await second.request(decideAdjustment, { id: 1, isApproved: true, reason: REASON })
  return { payer, finance, second }
}

/** Without a mail server messages stay in the database. */
const codeIn = (place: Place, email: string): Promise<string> =>
  until(`a code for ${email}`, MAIL_WITHIN_MS, () =>
    place.look(async (query) => {
      const [row] = await query(`select body from outbox where recipient = '${email}'`)
      return /\b\d{6}\b/.exec(String(row?.['body']))?.[0] ?? null
    }),
  )

async function openCases({ payer, second }: Staff, proof: string): Promise<Pick<Deciding, 'id' | 'kind'>[]> {
  const deposit = await payer.client.call(reportWireDeposit, {
    amount: REPORTED,
    proof,
    wireId: 1,
    reference: '',
  })
  const query = () =>
    payer.client.call(requestWithdrawal, {
      currencyId: 1,
      amount: OUT,
      memo: '',
      methodId: payer.methodId,
      authCode: null,
      quotedFee: null,
      quotedPrice: null,
      quotedReceived: null,
    })
  const [approved, waiting] = [valueOf(await query()), valueOf(await query())]
  await second.request(approveWithdrawal, { id: approved.id, reason: REASON })
  return [
    { id: valueOf(deposit).id, kind: 'deposit' },
    { id: approved.id, kind: 'approved' },
    { id: waiting.id, kind: 'waiting' },
  ]
}

const takeBack = ({ payer }: Staff, id: number) =>
  payer.client.call(cancelWithdrawal, { id }, { requestId: `take back ${id}` })

function firstOf(staff: Staff, { id, kind }: Pick<Deciding, 'id' | 'kind'>): Promise<Outcome<unknown>>[] {
  const { finance } = staff
  switch (kind) {
    case 'deposit':
      return [finance.try(finishDeposit, { id, amount: inSent(ARRIVED), arrivedAt: null, reason: REASON })]
    case 'approved':
      return [finance.try(payWithdrawal, { id, reference: `first ${id}`, reason: REASON })]
    case 'waiting':
      return [takeBack(staff, id), finance.try(approveWithdrawal, { id, reason: REASON })]
  }
}

async function againOf(staff: Staff, { id, kind }: Deciding): Promise<Outcome<unknown>> {
  const { finance, second } = staff
  const pay = (by: typeof finance) => by.try(payWithdrawal, { id, reference: `again ${id}`, reason: REASON })
  if (kind === 'deposit')
    return second.try(finishDeposit, { id, amount: inSent(ARRIVED_AGAIN), arrivedAt: null, reason: REASON })
  if (kind === 'approved') return pay(finance)
  const back = await takeBack(staff, id)
  // It was approved before the fault: another operator pays it.
  return !back.ok && back.reason === 'withdrawalApproved' ? pay(second) : back
}

const UNKNOWN = new Set(['network', 'cancelled', 'unreadable', 'engineUnavailable', 'internal'])
const isUnknown = (outcome: Outcome<unknown>): boolean => !outcome.ok && UNKNOWN.has(outcome.reason)

async function checkCase(
  { payer }: Staff,
  { id, kind, first, again }: Deciding,
  journal: JournalReader,
  tally: Tally,
): Promise<void> {
  const ending = journal.cases.get(id)
  const { wrong } = tally
  if (!ending || again === null || isUnknown(again)) return void wrong.push(`case ${id} has no end`)
  if (ending.ends > 1) tally.doubled += 1
  const [answer] = await Promise.all(first)
  if (kind === 'deposit') {
    const amount = again.ok ? ARRIVED_AGAIN : ARRIVED
    if (answer?.ok && again.ok) wrong.push(`deposit ${id} was credited by two operators`)
    if (ending.amount !== amount)
      wrong.push(`deposit ${id} was finished at ${amount} and credited ${ending.amount}`)
    return
  }
  const shown = valueOf(await payer.client.call(getWithdrawal, { id }))
  if (shown.status !== ending.outcome)
    wrong.push(`withdrawal ${id} is ${shown.status} in the API, ${ending.outcome} in the journal`)
  if (kind === 'waiting') return
  if (answer?.ok && again.ok) wrong.push(`withdrawal ${id} was paid by two operators`)
  const reference = `${again.ok ? 'again' : 'first'} ${id}`
  if (shown.reference !== reference)
    wrong.push(`withdrawal ${id} was paid as ${reference} and shows ${shown.reference}`)
}

/** The balance is what the journal has credited and paid. */
async function checkFunds({ accountId, client }: Payer, { cases }: JournalReader): Promise<string[]> {
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
