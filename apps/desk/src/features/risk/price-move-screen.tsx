import {
  getMoveScenario,
  getExposure,
  type HitAccount,
  type MoveEffect,
  moveFile,
  PRICE_MOVE,
  userNumber,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { NumberField } from '@fairlot/ui/forms/number-field.tsx'
import { FigureCard, FigureRow } from '@fairlot/ui/figures/figure-card.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { type FormEvent, useState } from 'react'
import { countText, decimal, gainTone, money, signedMoney } from '../../i18n/figures.ts'
import { clock } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { CsvButton } from '../../ui/file-button.tsx'
import { LedgerField } from '../../ui/ledger-field.tsx'
import { Page } from '../../ui/page.tsx'
import { SignedMoney } from '../../ui/signed-money.tsx'
import {
  ALL_INSTRUMENTS,
  FIRST_MOVE,
  type MoveScope,
  moveText,
  type PriceMove,
  readMovePercent,
  scopesOf,
} from './price-move.ts'
import type { RiskPageProps } from './risk-page-props.ts'

/** The effect of a price move, which the engine's own rules calculate on copies of all accounts. */
export function PriceMoveScreen({ filter, ledger, onLedger }: RiskPageProps) {
  const [move, setMove] = useState<PriceMove>(FIRST_MOVE)
  const { data: book } = useDeskQuery(getExposure, { ledger })
  const { percent, scope } = move
  const request = { ledger, percent, instrumentId: scope.instrumentId, category: scope.category }
  const { data, problem, retry } = useDeskQuery(getMoveScenario, request)
  return (
    <Page
      title="Risk"
      filter={filter}
      file={<CsvButton file={moveFile} input={request} of={ledger} />}
      actions={<LedgerField value={ledger} onChange={onLedger} />}
    >
      <div className="flex flex-col gap-3">
        <Card>
          <MoveForm scopes={scopesOf(book?.instruments ?? [])} onSubmit={setMove} />
        </Card>
        <p className="text-note text-second" role="status">
          {data
            ? `${moveText(move)}: ${countText(data.instruments, 'price')} moved, calculated at ${clock(data.at)} UTC. ${coverageText(data)}`
            : 'Calculating …'}
        </p>
        {data ? <Effects effect={data} /> : problem === null && <Skeleton shape="h-24 w-full" />}
        <DataTable
          label="Accounts that would lose most"
          columns={COLUMNS}
          rows={data?.hits}
          keyOf={({ accountId }) => accountId}
          problem={problem}
          onRetry={retry}
          empty={{
            title: 'No account would lose',
            text: 'The twenty accounts that would lose most are listed here.',
          }}
        />
      </div>
    </Page>
  )
}

function coverageText({ accounts, lookedAt: checked }: MoveEffect): string {
  if (checked < accounts)
    return `Only ${checked} of ${accounts} accounts could be checked in ten seconds; the figures cover these.`
  return accounts === 1
    ? 'The only account with orders was checked.'
    : `All ${accounts} accounts with orders were checked.`
}

const Effects = ({ effect }: { effect: MoveEffect }) => (
  <FigureRow>
    <FigureCard
      label="Broker's result"
      value={asName(signedMoney(-effect.usersChange))}
      tone={gainTone(-effect.usersChange)}
    >
      {withNames(`users ${asName(signedMoney(effect.usersChange))}`)}
    </FigureCard>
    <FigureCard
      label="Stopped out"
      value={countText(effect.stoppedOut, 'account')}
      {...toneOf(effect.stoppedOut)}
    >
      {countText(effect.closedByStopOut, 'position')} closed
    </FigureCard>
    <FigureCard label="Margin calls" value={`${effect.marginCalls} more`} {...toneOf(effect.marginCalls)}>
      {effect.closedByStopLoss} stop losses, {countText(effect.closedByTakeProfit, 'take profit')},{' '}
      {countText(effect.opened, 'order')} filled
    </FigureCard>
    <FigureCard
      label="Negative balance protection"
      value={asName(money(effect.covered))}
      {...toneOf(effect.coveredAccounts)}
    >
      {countText(effect.coveredAccounts, 'account')} below zero
    </FigureCard>
  </FigureRow>
)

const toneOf = (count: number) => (count > 0 ? { tone: 'down' as const } : {})

const level = (value: HitAccount['levelBefore']): string =>
  value === null ? 'no margin' : `${decimal(value)} %`

const COLUMNS: readonly Column<HitAccount>[] = [
  {
    key: 'account',
    title: 'Account',
    cell: ({ accountId }) => asName(userNumber(accountId)),
    onPhone: 'title',
  },
  {
    key: 'change',
    title: 'Equity change',
    align: 'end',
    onPhone: 'figure',
    cell: ({ change }) => <SignedMoney units={change} />,
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
    key: 'covered',
    title: 'Negative balance protection',
    align: 'end',
    onPhone: 'hidden',
    cell: ({ covered }) => (covered > 0n ? money(covered) : ''),
  },
]

type MoveFormProps = { scopes: readonly MoveScope[]; onSubmit: (move: PriceMove) => void }

const RANGE_TEXT = `From ${decimal(PRICE_MOVE.min)} to ${PRICE_MOVE.max}, with at most ${PRICE_MOVE.decimals} decimals.`

/** The form of a price move: its percentage and the instruments. */
function MoveForm({ scopes, onSubmit }: MoveFormProps) {
  const [text, setText] = useState(String(FIRST_MOVE.percent))
  const [scopeKey, setScopeKey] = useState(ALL_INSTRUMENTS.key)
  const [isWrong, setIsWrong] = useState(false)
  // The chosen instrument may have no positions any more.
  const scope = scopes.find(({ key }) => key === scopeKey) ?? ALL_INSTRUMENTS
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const percent = readMovePercent(text)
    setIsWrong(percent === null)
    if (percent !== null) onSubmit({ percent, scope })
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-3">
      <div className="w-36">
        <NumberField
          label="Price move, %"
          value={text}
          inputMode="text"
          onChange={setText}
          problem={isWrong ? RANGE_TEXT : null}
        />
      </div>
      <div className="min-w-48 flex-1">
        <SelectField
          label="Applies to"
          value={scope.key}
          options={scopes.map(({ key, label }) => ({ value: key, label }))}
          onChange={setScopeKey}
        />
      </div>
      <div className="self-end">
        <Button type="submit">Calculate</Button>
      </div>
    </form>
  )
}
