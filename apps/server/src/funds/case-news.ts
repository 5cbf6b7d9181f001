import { decimalText, fromUnits, MONEY_DECIMALS, type Author, type Event, type Money } from '@fairlot/core'
import type { Committed } from '../engine/engine.ts'
import type { NotificationName } from '../notifications/notifier.ts'
import type { PaymentServices } from './payment-services.ts'

type NewsServices = Pick<PaymentServices, 'engine' | 'queries' | 'notifier' | 'contactOf'> & {
  readonly onError: (error: unknown, doing: string) => void
}

/** A step of a case in a mail: which words, for whom, and what stands in them. */
type Step = {
  readonly name: NotificationName
  readonly userId: number
  readonly caseId: number
  readonly reason: string
  /** Null: as the case has it. */
  readonly amount: Money | null
}

export type CaseNews = {
  /** Tells the owner of a step that the journal does not hold. */
  tellApproved(userId: number, caseId: number): Promise<void>
  stop(): Promise<void>
}

/** Sends a mail for every step of a deposit or withdrawal, whoever took it. */
export function publishCaseNews({ engine, queries, notifier, contactOf, onError }: NewsServices): CaseNews {
  const write = async ({ name, userId, caseId, reason, amount }: Step) => {
    const contact = await contactOf(userId)
    if (!contact) return
    const known = amount ?? (await amountOf(caseId))
    const values = { number: String(caseId), amount: said(known), reason, currency: currency() }
    await notifier.write(name, contact, values)
    notifier.send()
  }
  const amountOf = async (caseId: number): Promise<bigint> => {
    await engine.caughtUp()
    const row = await queries
      .selectFrom('money_case')
      .select('amount')
      .where('id', '=', BigInt(caseId))
      .executeTakeFirst()
    return row?.amount ?? 0n
  }
  const currency = () => engine.state().settings.accountCurrency
  const underWay = new Set<Promise<void>>()
  let isStopped = false
  const inBackground = (work: Promise<void>) => {
    const told = work
      .catch((error: unknown) => {
        if (!isStopped) onError(error, 'writing a mail about money')
      })
      .finally(() => void underWay.delete(told))
    underWay.add(told)
  }
  const stopListening = engine.onCommitted(({ entry }: Committed) => {
    for (const event of entry.events) {
      const step = stepOf(event, entry.author)
      if (step) inBackground(write(step))
    }
  })
  return {
    tellApproved: (userId, caseId) =>
      write({ name: 'withdrawalApproved', userId, caseId, reason: '', amount: null }),
    stop: async () => {
      isStopped = true
      stopListening()
      await Promise.all(underWay)
    },
  }
}

const said = (amount: bigint): string => decimalText(fromUnits(amount, MONEY_DECIMALS), 2)

const DEPOSIT_ENDS = {
  finished: 'depositFinished',
  rejected: 'depositRejected',
  invalid: 'depositInvalid',
} as const
const WITHDRAWAL_ENDS = {
  paid: 'withdrawalPaid',
  rejected: 'withdrawalRejected',
  cancelled: 'withdrawalCancelled',
} as const

function stepOf(event: Event, author: Author): Step | null {
  const reason = author.type === 'operator' ? author.reason : ''
  switch (event.type) {
    case 'depositOpened':
      return { name: 'depositTold', ...whose(event), amount: event.amount, reason }
    case 'depositEnded': {
      const amount = event.outcome === 'finished' ? event.amount : null
      return { name: DEPOSIT_ENDS[event.outcome], ...whose(event), amount, reason }
    }
    case 'withdrawalHeld':
      return { name: 'withdrawalAsked', ...whose(event), amount: event.amount, reason }
    case 'withdrawalEnded':
      return { name: WITHDRAWAL_ENDS[event.outcome], ...whose(event), amount: null, reason }
    default:
      return null
  }
}

const whose = ({ accountId, caseId }: { readonly accountId: number; readonly caseId: number }) => ({
  userId: accountId,
  caseId,
})
