/** Prices that are held, and the word of an operator that lets one in. */
import type { HeldPrice } from '@fairlot/contract/desk'
import { fromTicks, fromUnits, percentChange, price } from '@fairlot/core'
import { refuse } from '../../http/refusal.ts'
import type { HeldTick } from '../../market/tick-records.ts'
import type { DeskServices } from '../desk-services.ts'
import type { DeskOperator } from '../operator.ts'
import { heldPriceSource } from './held-price-cases.ts'

type Word = { readonly instrumentId: number; readonly number: number; readonly reason: string }

export function createHeldPrices({ deployment, acts, hub, waiting, now }: DeskServices) {
  const { market } = deployment
  const codeOf = (id: number) => market.registry.byId.get(id)?.instrument.code ?? String(id)
  market.onHeld(() => hub.changed('waiting', 'market'))
  const shownHeld = (held: HeldTick): HeldPrice => {
    const quote = market.quoteOf(held.instrumentId)
    const inPrice = (ticks: number) => fromTicks(price(ticks), held.priceDecimals)
    // Half a tick is a digit more.
    const midOf = ({ bid, ask }: { readonly bid: number; readonly ask: number }) =>
      fromUnits((BigInt(bid) + BigInt(ask)) * 5n, held.priceDecimals + 1)
    return {
      ...{
        instrumentId: held.instrumentId,
        code: codeOf(held.instrumentId),
        number: held.number,
      },
      ...{ source: held.source, bid: inPrice(held.bid), ask: inPrice(held.ask), at: held.at },
      reason: held.reason,
      isFresh: market.now() - held.at <= market.freshnessMs(held.instrumentId),
      lastMid: quote && midOf(quote),
      offByPercent: quote && percentChange(midOf(quote), midOf(held)),
    }
  }

  /** People wait by their own clock, which a recording does not keep. */
  const sinceOf = (at: number) => now() - Math.max(0, market.now() - at)
  waiting.register(
    heldPriceSource(() =>
      market.intake.records.held().map((held) => ({ ...shownHeld(held), since: sinceOf(held.at) })),
    ),
  )

  return {
    /** Prices that wait for an operator's word, the newest first. */
    list: (): HeldPrice[] =>
      market.intake.records
        .held()
        .toSorted((a, b) => b.at - a.at)
        .map(shownHeld),

    admit: async (operator: DeskOperator, { instrumentId, number, reason }: Word) => {
      const held = market.intake.records
        .held()
        .find((one) => one.instrumentId === instrumentId && one.number === number)
      const { bid = null, ask = null, source = null } = held ? shownHeld(held) : {}
      const act = {
        operator,
        act: 'admitTick',
        subject: `instrument:${codeOf(instrumentId)}`,
        reason,
      } as const
      const done = await acts.perform({ ...act, after: { number, source, bid, ask } }, () => {
        const became = held ? market.intake.admit(held, market.freshnessMs(instrumentId)) : null
        return Promise.resolve(became === null ? refuse('priceGone') : { became })
      })
      hub.changed('waiting', 'market')
      return done
    },
  }
}
