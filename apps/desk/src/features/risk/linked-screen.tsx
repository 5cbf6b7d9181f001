import { type LinkedPair, listLinkedAccounts } from '@fairlot/contract/desk'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { decimal, money } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { LedgerField } from '../../ui/ledger-field.tsx'
import { Page } from '../../ui/page.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import { UserLink } from '../../ui/user-link.tsx'
import type { RiskPageProps } from './risk-page-props.ts'

/** The query reads a month of log-ins and orders, so it is refreshed rarely. */
const REFRESH_MS = 60_000

const LINK_NAMES: Readonly<Record<LinkedPair['links'][number], string>> = {
  device: 'same browser and network',
  network: 'same network address',
  payout: 'same payout account',
}

const sideText = ({ side, lots }: LinkedPair['first']): string => `${side} ${decimal(lots)}`

const protectionOf = ({ first, second }: LinkedPair): bigint => first.protection + second.protection

const columnsAt = (now: number): readonly Column<LinkedPair>[] => [
  {
    key: 'accounts',
    title: 'Accounts',
    onPhone: 'title',
    cell: ({ first, second }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <UserLink accountId={first.accountId} />
        <span>and</span>
        <UserLink accountId={second.accountId} />
      </span>
    ),
  },
  {
    key: 'links',
    title: 'In common',
    cell: ({ links }) => links.map((link) => LINK_NAMES[link]).join(', '),
  },
  {
    key: 'positions',
    title: 'Opposite positions',
    cell: ({ code, first, second }) => `${asName(code)}: ${sideText(first)}, ${sideText(second)}`,
  },
  {
    key: 'since',
    title: 'Opposite since',
    phoneLabel: 'since',
    cell: ({ since, isOpen }) => `${moment(since, now)}${isOpen ? ', open now' : ''}`,
  },
  {
    key: 'first',
    title: 'Result of the first',
    phoneLabel: 'first',
    align: 'end',
    cell: ({ first }) => <SignedMoney units={first.result} />,
  },
  {
    key: 'second',
    title: 'Result of the second',
    phoneLabel: 'second',
    align: 'end',
    cell: ({ second }) => <SignedMoney units={second.result} />,
  },
  {
    key: 'protection',
    title: 'Negative balance protection',
    align: 'end',
    onPhone: 'figure',
    cell: (pair) => (protectionOf(pair) > 0n ? <strong>{money(protectionOf(pair))}</strong> : 'none'),
  },
]

/** Accounts that share something and hold opposite positions. */
export function LinkedScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const { data, problem, retry } = useDeskQuery(listLinkedAccounts, { ledger }, { refreshMs: REFRESH_MS })
  return (
    <Page title="Risk" filter={filter} actions={<LedgerField value={ledger} onChange={onLedger} />}>
      <div className="flex flex-col gap-3">
        <p className="text-note text-second">
          For review only: being listed here restricts nothing. Operators restrict an account on the user’s
          page, with a reason that the user sees.
          {data && ` Log-ins, positions and negative balance protection of the last ${data.days} days.`}
          {data && !data.isWhole && ' There are more accounts with positions than were checked.'}
        </p>
        <DataTable
          label="Linked accounts with opposite positions"
          columns={columnsAt(data?.at ?? 0)}
          rows={data?.pairs}
          keyOf={({ first, second, instrumentId }) =>
            `${first.accountId} ${second.accountId} ${instrumentId}`
          }
          problem={problem}
          onRetry={retry}
          empty={{
            title: 'No linked accounts hold opposite positions',
            text: 'Pairs of accounts that share a browser, a network address or a payout account and were on opposite sides of one instrument at the same time.',
          }}
        />
      </div>
    </Page>
  )
}
