import type { MoneyCaseTable } from '../../database/schema.ts'
import { amount, moment } from './cells.ts'
import type { DataOf } from './data-of.ts'
import { byNumber, type Section } from './section.ts'

/** Money that came and went, every step of it, and where it may be paid to. Of operators there is the role. */
export const moneySections = (of: DataOf): readonly Section[] => [
  cases(of),
  deposits(of),
  withdrawals(of),
  receivingMethods(of),
]

const shownCase = (row: MoneyCaseTable) => ({
  ...{ id: String(row.id), kind: row.kind, status: row.status },
  ...{ amount: amount(row.amount), fee: amount(row.fee), credited: amount(row.credited) },
  ...{ openedAt: moment(row.opened_at), askedReason: row.asked_reason },
  ...{ endedAt: moment(row.ended_at), endedReason: row.ended_reason },
  endedBy: row.ended_at === null ? null : row.ended_by === null ? 'user' : 'operator',
})

const cases = ({ queries, userId }: DataOf): Section => ({
  name: 'money-cases',
  columns: [
    ...['id', 'kind', 'status', 'amount', 'fee', 'credited', 'openedAt', 'askedReason'],
    ...['endedAt', 'endedReason', 'endedBy'],
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('money_case').selectAll().where('account_id', '=', BigInt(userId)),
      'id',
      shownCase,
    ),
})

const deposits = ({ queries, userId }: DataOf): Section => ({
  name: 'deposits',
  columns: [
    ...['case', 'kind', 'currency', 'network', 'address', 'shownAddress', 'reference', 'proof'],
    'toldAt',
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('deposit').selectAll().where('user_id', '=', BigInt(userId)),
      'case_id',
      (row) => ({
        ...{ case: String(row.case_id), kind: row.kind, currency: row.currency_code },
        ...{ network: row.protocol_code, address: row.address, shownAddress: row.shown_address },
        ...{ reference: row.reference, proof: row.proof, toldAt: moment(row.told_at) },
      }),
    ),
})

const withdrawals = ({ queries, userId }: DataOf): Section => ({
  name: 'withdrawals',
  columns: [
    ...['case', 'kind', 'currency', 'network', 'price', 'received', 'method', 'memo', 'askedAt'],
    ...['takenBackAt', 'approvedAt', 'approvedRole', 'reference'],
  ],
  pages: () =>
    byNumber(
      queries.selectFrom('withdrawal').selectAll().where('user_id', '=', BigInt(userId)),
      'case_id',
      (row) => ({
        ...{ case: String(row.case_id), kind: row.kind, currency: row.code, network: row.protocol },
        ...{ price: row.price, received: row.received, method: row.method, memo: row.memo },
        ...{ askedAt: moment(row.asked_at), takenBackAt: moment(row.taken_back_at) },
        ...{ approvedAt: moment(row.approved_at), approvedRole: row.approved_role, reference: row.reference },
      }),
    ),
})

const receivingMethods = ({ queries, userId }: DataOf): Section => ({
  name: 'receiving-methods',
  columns: ['id', 'kind', 'details', 'boundAt', 'removedAt'],
  pages: () =>
    byNumber(
      queries.selectFrom('receiving_method').selectAll().where('user_id', '=', BigInt(userId)),
      'id',
      (row) => ({
        ...{ id: String(row.id), kind: row.kind, details: row.details },
        ...{ boundAt: moment(row.bound_at), removedAt: moment(row.removed_at) },
      }),
    ),
})
