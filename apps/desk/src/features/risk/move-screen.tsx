import { foretellMove, getExposure, type HitAccount, type MoveEffect, moveFile } from '@fairlot/contract/desk'
import { Card } from '@fairlot/ui/card.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figure-card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useState } from 'react'
import { decimal, money, signedMoney } from '../../i18n/figures.ts'
import { clock } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { CsvButton } from '../../ui/csv-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { LedgerField } from '../../ui/ledger-choice.tsx'
import { Page } from '../../ui/page.tsx'
import { Signed } from '../../ui/signed.tsx'
import type { Column } from '../../ui/table-column.ts'
import { MoveForm } from './move-form.tsx'
import { type AskedMove, moveText, NO_MOVE } from './move.ts'
import type { RiskPageProps } from './risk-page-props.ts'

/** What prices that move would do: the core itself on copies of all accounts. */
export function MoveScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const [move, setMove] = useState<AskedMove>(NO_MOVE)
  const { data: book } = useDeskQuery(getExposure, { ledger })
  const { data, problem, retry } = useDeskQuery(foretellMove, { ledger, ...move.asked })
  return (
    <Page
      title="Risk"
      filter={filter}
      file={<CsvButton file={moveFile} input={{ ledger, ...move.asked }} of={ledger} />}
      actions={<LedgerField value={ledger} onChange={onLedger} />}
    >
      <div className="flex flex-col gap-3">
        <Card>
          <MoveForm book={book?.instruments ?? []} onAsk={setMove} />
        </Card>
        <p className="text-note text-second" role="status">
          {data
            ? `${moveText(move)}: ${data.instruments} prices moved, at ${clock(data.at)} UTC. ${lookedAt(data)}`
            : 'Working it out …'}
        </p>
        {data ? <Effects effect={data} /> : problem === null && <Skeleton shape="h-24 w-full" />}
        <DataTable
          label="Accounts that would lose most"
          columns={COLUMNS}
          rows={data?.hits}
          keyOf={({ accountId }) => accountId}
          problem={problem}
          onRetry={retry}
          empty={{ title: 'No account would lose', text: 'Those that lose most stand here, twenty of them.' }}
        />
      </div>
    </Page>
  )
}

const lookedAt = ({ accounts, lookedAt: seen }: MoveEffect): string =>
  seen === accounts
    ? `${accounts} accounts with orders, all looked at.`
    : `Only ${seen} of ${accounts} accounts could be looked at in ten seconds: the figures are of these.`

const Effects = ({ effect }: { effect: MoveEffect }) => (
  <FigureRow>
    <FigureCard
      label="The house would"
      value={signedMoney(-effect.clientsChange)}
      tone={effect.clientsChange > 0n ? 'down' : 'up'}
    >
      clients {signedMoney(effect.clientsChange)}
    </FigureCard>
    <FigureCard label="Stopped out" value={`${effect.stoppedOut} accounts`} {...toneOf(effect.stoppedOut)}>
      {effect.closedByStopOut} positions closed
    </FigureCard>
    <FigureCard label="Margin calls" value={`${effect.marginCalls} more`} {...toneOf(effect.marginCalls)}>
      {effect.closedByStopLoss} stop losses, {effect.closedByTakeProfit} stop profits, {effect.opened} orders
      filled
    </FigureCard>
    <FigureCard label="Balances lifted" value={money(effect.covered)} {...toneOf(effect.coveredAccounts)}>
      {effect.coveredAccounts} accounts below zero
    </FigureCard>
  </FigureRow>
)

const toneOf = (count: number) => (count > 0 ? { tone: 'down' as const } : {})

const level = (value: HitAccount['levelBefore']): string =>
  value === null ? 'no margin' : `${decimal(value)} %`

const COLUMNS: readonly Column<HitAccount>[] = [
  { key: 'account', title: 'Account', cell: ({ accountId }) => accountId, onPhone: 'title' },
  {
    ...{ key: 'change', title: 'Equity changes by', align: 'end', onPhone: 'figure' },
    cell: ({ change }) => <Signed units={change} />,
  },
  {
    key: 'before',
    title: 'Level before',
    phoneLabel: 'before',
    cell: ({ levelBefore }) => level(levelBefore),
    align: 'end',
  },
  {
    key: 'after',
    title: 'Level after',
    phoneLabel: 'after',
    cell: ({ levelAfter }) => level(levelAfter),
    align: 'end',
  },
  {
    key: 'out',
    title: 'Stopped out',
    phoneLabel: 'stopped out:',
    cell: ({ isStoppedOut }) => (isStoppedOut ? 'yes' : 'no'),
  },
  {
    ...{ key: 'covered', title: 'Lifted by', align: 'end', onPhone: 'hidden' },
    cell: ({ covered }) => (covered > 0n ? money(covered) : ''),
  },
]
