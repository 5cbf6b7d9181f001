import { listNearAccounts, type NearAccount, nearAccountsFile } from '@fairlot/contract/desk'
import { decimal, money } from '../../i18n/figures.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { LedgerField } from '../../ui/ledger-choice.tsx'
import { Page } from '../../ui/page.tsx'
import { Signed } from '../../ui/signed.tsx'
import type { Column } from '../../ui/table-column.ts'
import type { RiskPageProps } from './risk-page-props.ts'

const EVERY_MS = 3_000

const columnsAt = (warningLevel: number): readonly Column<NearAccount>[] => [
  {
    ...{ key: 'account', title: 'Account', onPhone: 'title' },
    cell: ({ accountId }) => (
      <a href={`#/people/${accountId}`} className="underline decoration-line underline-offset-4">
        {accountId}
      </a>
    ),
  },
  {
    ...{ key: 'level', title: 'Level', align: 'end', onPhone: 'figure' },
    cell: ({ level }) => (
      <strong className={Number(level) <= warningLevel ? 'text-down' : ''}>{decimal(level)} %</strong>
    ),
  },
  {
    key: 'distance',
    title: 'To the stop-out',
    phoneLabel: 'to go',
    cell: ({ distance }) => money(distance),
    align: 'end',
  },
  { key: 'equity', title: 'Equity', phoneLabel: 'equity', cell: ({ equity }) => money(equity), align: 'end' },
  { key: 'margin', title: 'Margin', cell: ({ margin }) => money(margin), align: 'end', onPhone: 'hidden' },
  {
    ...{ key: 'profit', title: 'Open profit', align: 'end', onPhone: 'hidden' },
    cell: ({ clientsProfit }) => <Signed units={clientsProfit} />,
  },
  { key: 'largest', title: 'Largest position', cell: largestText },
  {
    ...{ key: 'out', title: 'Out at', align: 'end', onPhone: 'hidden' },
    cell: ({ largest }) => outText(largest),
  },
]

const outText = (largest: NearAccount['largest']): string =>
  largest === null || largest.stopOutPrice === null ? 'by no price' : decimal(largest.stopOutPrice)

function largestText({ largest, positions }: NearAccount): string {
  if (!largest) return 'none'
  const others = positions > 1 ? `, of ${positions}` : ''
  return `${largest.side} ${decimal(largest.lots)} ${largest.code}${others}`
}

/** The accounts that a small move would stop out, the nearest first. */
export function NearScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const { data, problem, retry } = useDeskQuery(listNearAccounts, { ledger }, { everyMs: EVERY_MS })
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
          title: 'No account holds a position',
          text: 'Those with margin stand here, the lowest level first.',
        }}
      />
    </Page>
  )
}
