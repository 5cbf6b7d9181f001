import type { HeldPrice } from '@fairlot/contract/desk'
import { decimalText, fromTicks, fromUnits, percentChange, price } from '@fairlot/core'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import type { CaseContents, WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import type { HeldTick } from '../refused-ticks.ts'

/** The admission of a held price by an operator. */
type Admission = { readonly instrumentId: number; readonly number: number; readonly reason: string }

const KIND = 'heldPrice'

export function createHeldPrices({
  deployment,
  auditLog,
  approvals,
  engineCommands,
  hub,
  waiting,
  now,
}: DeskServices) {
  const { market } = deployment
  const codeOf = (id: number) => market.registry.byId.get(id)?.instrument.code ?? String(id)
  market.onHeld(() => hub.changed('waiting', 'market'))
  const shownHeld = (held: HeldTick): HeldPrice => {
    const quote = market.quoteOf(held.instrumentId)
    const inPrice = (ticks: number) => fromTicks(price(ticks), held.priceDecimals)
    // Half a tick needs one more digit.
    const midOf = ({ bid, ask }: { readonly bid: number; readonly ask: number }) =>
      fromUnits((BigInt(bid) + BigInt(ask)) * 5n, held.priceDecimals + 1)
    return {
      instrumentId: held.instrumentId,
      code: codeOf(held.instrumentId),
      number: held.number,
      source: held.source,
      bid: inPrice(held.bid),
      ask: inPrice(held.ask),
      at: held.at,
      reason: held.reason,
      isFresh: market.now() - held.at <= market.freshnessMs(held.instrumentId),
      lastMid: quote && midOf(quote),
      offByPercent: quote && percentChange(midOf(quote), midOf(held)),
    }
  }

  /** Waiting times are in real time, while `at` is on the market clock, which a replay sets. */
  const sinceOf = (at: number) => now() - Math.max(0, market.now() - at)
  waiting.register(
    heldPriceSource(() =>
      market.intake.records.held().map((held) => ({ ...shownHeld(held), since: sinceOf(held.at) })),
    ),
  )

  const findHeld = ({ instrumentId, number }: Pick<Admission, 'instrumentId' | 'number'>) =>
    market.intake.records
      .held()
      .find(
        (one) => one.instrumentId === instrumentId && one.number === number && market.intake.isWaiting(one),
      )

  approvals.register(KIND, {
    name: 'Held prices to admit',
    signsOf: () => [{ weight: 3, why: 'a held price would become the reference for the next prices' }],
    textsOf: () => SHOWN_TO_USERS,
    execute: async (body, approved) => {
      const admission = body as Pick<Admission, 'instrumentId' | 'number'>
      const held = findHeld(admission)
      if (!held) return refuse('priceGone')
      const { instrumentId, bid, ask, source } = held
      const shown = shownHeld(held)
      const done = await engineCommands.execute(
        {
          ...approved,
          act: 'admitTick',
          subject: `instrument:${codeOf(instrumentId)}`,
          after: { number: admission.number, source, bid: shown.bid, ask: shown.ask },
        },
        {
          type: 'admitReference',
          instrumentId,
          bid,
          ask,
          source,
          market: market.intake.marketPriceOf(instrumentId),
        },
      )
      if (isRefusal(done)) return done
      market.intake.admit(held)
      hub.changed('waiting', 'market')
      return null
    },
  })

  return {
    /** Held prices, the newest first. */
    list: (): HeldPrice[] =>
      market.intake.records
        .held()
        .toSorted((a, b) => b.at - a.at)
        .map(shownHeld),

    /** Requests the approval of a second operator, of compliance or an administrator. */
    admit: async (
      operator: DeskOperator,
      { instrumentId, number, reason }: Admission,
    ): Promise<{ approvalId: number } | Refusal> => {
      const held = findHeld({ instrumentId, number })
      const subject = `instrument:${codeOf(instrumentId)}`
      if (!held) {
        const refusal = refuse('priceGone')
        await auditLog.recordRefusal({ operator, act: 'admitTick', subject, reason }, refusal)
        return refusal
      }
      const { bid, ask, source, lastMid } = shownHeld(held)
      const opened = await approvals.request(operator, {
        kind: KIND,
        subject,
        body: { instrumentId, number },
        reason,
        before: { reference: lastMid },
        after: { reference: { source, bid, ask } },
      })
      hub.changed('market')
      return opened
    },
  }
}

const SHOWN_TO_USERS = 'Receipts say "reference admitted by operators" until ticks of the market confirm it.'

/** More than the number of refused prices of any instrument, so that ids are unique. */
const NUMBERS = 1_000_000_000

type HeldPriceList = () => readonly (HeldPrice & { readonly since: number })[]

function heldPriceSource(list: HeldPriceList): WaitingSource {
  const items = () => list().map(itemOf)
  const find = (id: number) => list().find((price) => idOf(price) === id) ?? null
  return {
    name: 'price',
    list: (most) => Promise.resolve(items().slice(-most)),
    count: () => Promise.resolve(list().length),
    find: (id) => {
      const price = find(id)
      return Promise.resolve(price && itemOf(price))
    },
    contents: ({ id }) => Promise.resolve(contentsOf(find(id))),
  }
}

const idOf = ({ instrumentId, number }: HeldPrice): number => instrumentId * NUMBERS + number

const spread = ({ bid, ask }: HeldPrice): string => `${decimalText(bid)} / ${decimalText(ask)}`

function itemOf(price: HeldPrice & { readonly since: number }): WaitingItem {
  const isFar = price.reason === 'outOfBounds'
  return {
    id: idOf(price),
    kind: 'price',
    kindName: 'Held prices',
    title: `${price.code} price`,
    summary: `${price.source} sends ${spread(price)}${offBy(price)}`,
    accountId: null,
    amount: null,
    since: price.since,
    requestedBy: null,
    needsSecond: true,
    decidePermission: 'admitTick',
    signs: [
      isFar
        ? {
            weight: 3,
            why: 'above ten times or below a tenth of the last price: only operators can admit it',
          }
        : { weight: 2, why: 'outside the band around the last price' },
    ],
  }
}

const offBy = ({ offByPercent }: HeldPrice): string =>
  offByPercent === null ? '' : `, ${decimalText(offByPercent)} % from the last`

function contentsOf(price: (HeldPrice & { readonly since: number }) | null): CaseContents {
  const plain = (label: string, value: string) => ({ label, format: 'text', value, tone: 'plain' }) as const
  return {
    reason: price?.reason ?? '',
    changes: [],
    texts: [],
    decision: 'elsewhere',
    noTexts: SHOWN_TO_USERS,
    facts: price
      ? [
          plain('Instrument', price.code),
          plain('Source', price.source),
          plain('Bid / ask', spread(price)),
          plain('Last accepted mid', price.lastMid === null ? 'none yet' : decimalText(price.lastMid)),
          { label: 'Received', format: 'time', value: String(price.since), tone: 'plain' },
        ]
      : [],
    steps: [
      {
        title: 'Held by the tick guard',
        state: 'done',
        by: null,
        at: price?.since ?? null,
        note: price?.reason ?? '',
      },
      {
        title: 'Dealing checks the price',
        state: 'now',
        by: null,
        at: null,
        note: 'under Market, Feeds: Admit; the case closes by itself with the next accepted price',
      },
      {
        title: 'A second operator approves or rejects it',
        state: 'next',
        by: null,
        at: null,
        note: 'compliance or an administrator',
      },
    ],
  }
}
