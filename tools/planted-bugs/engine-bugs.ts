import { bugsOf, type Bug } from './bug.ts'

const engine = (name: string, ...bugs: readonly (readonly [string, string, string])[]): Bug[] =>
  bugsOf(`apps/server/src/engine/${name}`, ...bugs)

export const ENGINE_BUGS: readonly Bug[] = [
  ...engine(
    'projection/receipt-chain.ts',
    [
      "hash('sha256', previousHash + body)",
      "hash('sha256', body)",
      'The hash of a receipt does not cover the receipt before it.',
    ],
    ['    remember(accountId, end)\n', '', 'Two receipts of one segment take the same place in the chain.'],
  ),
  ...engine(
    'journal/journal.ts',
    ['    .update(entries)\n', '', 'The hash of a journal row does not cover what it says.'],
    ['row.previous_hash === previous.hash && ', '', 'A journal row need not follow from the one before it.'],
  ),
  ...engine(
    'projection/projection-orders.ts',
    ['    fee: 0,\n', '', 'A closed part shows the opening fee once more.'],
    [
      'lots: position.lots - lots, margin: String',
      'lots: position.lots, margin: String',
      'The order in the table keeps the size that it had before a part was closed.',
    ],
  ),
  ...engine('projection/projection-write.ts', [
    "  updated('trade_order', ['id'], rows.financings.values()),\n",
    '',
    'The order in the table does not know which night it has had.',
  ]),
  ...engine('projection/row-mapping.ts', [
    'financedAt: row.number()',
    'financedAt: 0',
    'After a restart a night may be booked again.',
  ]),
  ...engine('batch.ts', [
    'answer.repeatOf === null && answer.entry.events.length > 0',
    '(answer.repeatOf !== null || answer.entry.events.length > 0)',
    'A repeated request is written to the journal once more.',
  ]),
  ...engine('writer.ts', [
    'const isCommitted = await this.#store.commit(batch)',
    'const isCommitted = true\n    void this.#store.commit(batch)',
    'Orders are answered before they are in the journal.',
  ]),
  ...engine('engine-store.ts', [
    'return this.#isOpen && this.head.hash === row.hash',
    'return this.#isOpen',
    'A commit that failed counts as done.',
  ]),
]
