/** Held prices on the list of what waits: each until an operator admits it, or a sound price comes. */
import type { HeldPrice } from '@fairlot/contract/desk'
import { decimalText } from '@fairlot/core'
import type { CaseContents, WaitingItem, WaitingSource } from '../waiting/waiting-source.ts'

/** More refused prices than an instrument will ever have had. */
const NUMBERS = 1_000_000_000

export type HeldPriceList = () => readonly (HeldPrice & { readonly since: number })[]

export function heldPriceSource(list: HeldPriceList): WaitingSource {
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
    ...{ id: idOf(price), kind: 'price', kindName: 'Held prices', title: `${price.code} price` },
    what: `${price.source} sends ${spread(price)}${offBy(price)}`,
    ...{ accountId: null, amount: null, since: price.since, asked: null, needsSecond: false },
    decideAct: 'admitTick',
    signs: [
      isFar
        ? { weight: 3, why: 'beyond ten times, or a tenth of, the last price: never let in without a word' }
        : { weight: 2, why: 'further from the last price than its band' },
    ],
  }
}

const offBy = ({ offByPercent }: HeldPrice): string =>
  offByPercent === null ? '' : `, ${decimalText(offByPercent)} % from the last`

function contentsOf(price: (HeldPrice & { readonly since: number }) | null): CaseContents {
  const plain = (label: string, value: string) => ({ label, format: 'text', value, tone: 'plain' }) as const
  return {
    ...{ reason: price?.reason ?? '', changes: [], words: [], decision: 'elsewhere' },
    noWords: 'No trader reads anything of this: a price that is admitted is a price like any other.',
    facts: price
      ? [
          plain('Instrument', price.code),
          plain('Source', price.source),
          plain('Sent', spread(price)),
          plain('Last accepted mid', price.lastMid === null ? 'none yet' : decimalText(price.lastMid)),
          { label: 'Came', format: 'time', value: String(price.since), tone: 'plain' },
        ]
      : [],
    steps: [
      {
        title: 'Refused by the guard',
        state: 'done',
        by: null,
        at: price?.since ?? null,
        note: price?.reason ?? '',
      },
      {
        ...{ title: 'Dealing looks whether it is right', state: 'now', by: null, at: null },
        note: 'at Market, Feeds: Admit; the next sound price ends the waiting by itself',
      },
    ],
  }
}
