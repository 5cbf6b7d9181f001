import { listNearAccounts, type NearAccount, nearAccountsFile } from '@fairlot/contract/desk'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { decimal, money } from '../../i18n/figures.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { LedgerField } from '../../ui/ledger-field.tsx'
import { Page } from '../../ui/page.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import { UserLink } from '../../ui/user-link.tsx'
import type { RiskPageProps } from './risk-page-props.ts'

const REFRESH_MS = 3_000

const columnsAt = (warningLevel: number): readonly Column<NearAccount>[] => [
  {
    key: 'account',
    title: 'Account',
    onPhone: 'title',
    cell: ({ accountId }) => <UserLink accountId={accountId} />,
  },
  {
    key: 'level',
    title: 'Level',
    align: 'end',
    onPhone: 'figure',
    cell: ({ level }) => (
      <strong className={Number(level) <= warningLevel ? 'text-down' : ''}>{decimal(level)} %</strong>
    ),
  },
  {
    key: 'distance',
    title: 'Distance to stop-out',
    phoneLabel: 'distance',
    cell: ({ distance }) => money(distance),
    align: 'end',
  },
  { key: 'equity', title: 'Equity', phoneLabel: 'equity', cell: ({ equity }) => money(equity), align: 'end' },
  { key: 'margin', title: 'Margin', cell: ({ margin }) => money(margin), align: 'end', onPhone: 'hidden' },
  {
    key: 'profit',
    title: 'Open profit',
    align: 'end',
    onPhone: 'hidden',
    cell: ({ usersProfit }) => <SignedMoney units={usersProfit} />,
  },
  { key: 'largest', title: 'Largest position', cell: largestText },
  {
    key: 'out',
    title: 'Stop-out price',
    align: 'end',
    onPhone: 'hidden',
    cell: ({ largest }) => outText(largest),
  },
]

const outText = (largest: NearAccount['largest']): string =>
  largest === null || largest.stopOutPrice === null ? 'none' : decimal(largest.stopOutPrice)

function largestText({ largest, positions }: NearAccount): string {
  if (!largest) return 'none'
  const others = positions > 1 ? `, of ${positions}` : ''
  return `${largest.side} ${decimal(largest.lots)} ${asName(largest.code)}${others}`
}

/** The accounts closest to their stop-out. */
export function NearStopOutScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const { data, problem, retry } = useDeskQuery(listNearAccounts, { ledger }, { refreshMs: REFRESH_MS })
  return (
    <Page
      title="Risk"
      filter={filter}
      file={<CsvButton file={nearAccountsFile} input={{ ledger }} of={ledger} />}
      actions={<LedgerField value={ledger} onChange={onLedger} />}
    >
      <DataTable
        label="Accounts near their stop-out"
        columns={columnsAt(Number(data?.warningLevel ?? 0))}
        rows={data?.accounts}
        keyOf={({ accountId }) => accountId}
        problem={problem}
        onRetry={retry}
        empty={{
          title: 'No open positions',
          text: 'Accounts that use margin are listed here, lowest level first.',
        }}
      />
    </Page>
  )
}
