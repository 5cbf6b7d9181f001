import { mutationsOf, type Mutation } from '../mutation.ts'

const engine = (name: string, ...mutations: readonly (readonly [string, string, string])[]): Mutation[] =>
  mutationsOf(`apps/server/src/engine/${name}`, ...mutations)

export const ENGINE_MUTATIONS: readonly Mutation[] = [
  ...engine(
    'projection/receipt-chain.ts',
    [
      "hash('sha256', previousHash + body)",
      "hash('sha256', body)",
      'The hash of a receipt does not cover the receipt before it.',
    ],
    ['    setEnd(accountId, end)\n', '', 'Two receipts of one segment have the same place in the chain.'],
  ),
  ...engine(
    'journal/journal.ts',
    ['    .update(entries)\n', '', 'The hash of a journal row does not cover its entries.'],
    ['row.previous_hash === previous.hash && ', '', 'A journal row need not follow from the one before it.'],
  ),
  ...engine(
    'projection/project-entry.ts',
    ['    fee: 0,\n', '', 'A closed part shows the opening fee again.'],
    [
      'lots: position.lots - lots, margin: String',
      'lots: position.lots, margin: String',
      'The order in the table keeps its size from before a partial close.',
    ],
  ),
  ...engine('projection/segment-writer.ts', [
    "  updated('trade_order', ['id'], rows.swaps.values()),\n",
    '',
    'The order in the table does not record its last rollover.',
  ]),
  ...engine('projection/row-mapping.ts', [
    'financedAt: row.number()',
    'financedAt: 0',
    'After a restart a rollover may be booked again.',
  ]),
  ...engine('batch.ts', [
    'answer.repeatOf === null && answer.entry.events.length > 0',
    '(answer.repeatOf !== null || answer.entry.events.length > 0)',
    'A repeated request is written to the journal again.',
  ]),
  ...engine('writer.ts', [
    'const isCommitted = await this.#store.commit(batch)',
    'const isCommitted = true\n    void this.#store.commit(batch)',
    'Orders are answered before they are in the journal.',
  ]),
  ...engine('engine-store.ts', [
    'return this.#isOpen && this.head.hash === row.hash',
    'return this.#isOpen',
    'A failed commit counts as done.',
  ]),
]
