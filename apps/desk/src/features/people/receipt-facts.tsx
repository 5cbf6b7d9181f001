import type { OrderView, Receipt } from '@fairlot/contract'
import { FactList, type Fact } from '@fairlot/ui/fact-list.tsx'
import { decimal } from '../../i18n/figures.ts'
import { clock, moment } from '../../i18n/moments.ts'
import { ACTION_WORDS, priceText } from './order-words.ts'

type ReceiptProps = { order: OrderView; receipt: Receipt; now: number }

/** What proves a decision: the tick that it came from, and its place in the account's chain. */
export const ReceiptFacts = ({ order, receipt, now }: ReceiptProps) => (
  <section
    aria-label={`Receipt: ${ACTION_WORDS[receipt.action]}`}
    className="rounded-card bg-page px-3.5 py-3"
  >
    <h3 className="text-note font-bold">
      {ACTION_WORDS[receipt.action]} · {moment(receipt.at, now)}
    </h3>
    <FactList facts={factsOf(order, receipt)} />
  </section>
)

const factsOf = (
  order: OrderView,
  { trigger, tick, filledPrice, slippage, delayMs, ruleVersion, terms, hash }: Receipt,
): Fact[] => [
  { label: 'Decided by', value: trigger },
  ...(tick
    ? [
        { label: 'Tick', value: `${tick.seq} · ${tick.source} · ${clock(tick.time)}` },
        { label: 'Bid · ask', value: `${priceText(order, tick.bid)} · ${priceText(order, tick.ask)}` },
        ...(Number(tick.markUp) === 0
          ? []
          : [{ label: 'Mark-up of each side', value: priceText(order, tick.markUp) }]),
      ]
    : []),
  ...(filledPrice === null
    ? []
    : [{ label: 'Filled at · better by', value: `${priceText(order, filledPrice)} · ${decimal(slippage)}` }]),
  { label: 'Age of the tick', value: `${delayMs} ms` },
  { label: 'Rules · terms', value: `${ruleVersion} · ${terms}` },
  { label: 'Hash', value: hash === null ? 'not sealed yet' : `${hash.slice(0, 12)}…${hash.slice(-6)}` },
]
