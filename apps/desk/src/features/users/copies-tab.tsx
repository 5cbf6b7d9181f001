import type { OutputOf } from '@fairlot/contract'
import { type DeskStrategy, listUserCopies, setStaff, type UserCopy } from '@fairlot/contract/desk'
import type { CopyEndReason } from '@fairlot/core'
import { Badge, type BadgeTone } from '@fairlot/ui/feedback/badge.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { Link } from 'react-router'
import { countText, money } from '../../i18n/figures.ts'
import { day } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { usePaged } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { strategyFacts } from '../../ui/strategy-facts.ts'
import { UserLink } from '../../ui/user-link.tsx'
import type { TabProps } from './user-props.ts'

const STATE_TONES: Readonly<Record<UserCopy['state'], BadgeTone>> = {
  running: 'up',
  paused: 'brass',
  ending: 'brass',
  ended: 'plain',
}

const END_LABELS: Readonly<Record<CopyEndReason, string>> = {
  owner: 'the user ended it',
  stopLoss: 'copy stop loss',
  strategyEnded: 'the strategy ended',
  copyingOff: 'copying was switched off',
  ownerReset: 'demo reset',
}

const endText = (reason: string): string => END_LABELS[reason as CopyEndReason] ?? reason

const columnsAt = (now: number): readonly Column<UserCopy>[] => [
  {
    key: 'name',
    title: 'Strategy',
    cell: ({ id, name, endReason }) => (
      <>
        <bdi translate="no">{name}</bdi>
        <span className="block text-tiny font-normal text-second">
          {withNames(`Copy ${asName(id)}${endReason === null ? '' : ` · ${endText(endReason)}`}`)}
        </span>
      </>
    ),
    onPhone: 'title',
  },
  {
    key: 'provider',
    title: 'Provider',
    phoneLabel: 'of',
    cell: ({ providerId }) => <UserLink accountId={providerId} />,
  },
  {
    key: 'state',
    title: 'State',
    cell: ({ state }) => <Badge tone={STATE_TONES[state]}>{state}</Badge>,
    onPhone: 'figure',
  },
  { key: 'in', title: 'Put in', phoneLabel: 'in', cell: ({ putIn }) => money(putIn), align: 'end' },
  {
    key: 'out',
    title: 'Taken out',
    phoneLabel: 'out',
    cell: ({ takenOut }) => money(takenOut),
    align: 'end',
  },
  {
    key: 'equity',
    title: 'Equity',
    phoneLabel: 'equity',
    cell: ({ equity }) => (equity === null ? '–' : money(equity)),
    align: 'end',
  },
  { key: 'fee', title: 'Fees paid', phoneLabel: 'fees', cell: ({ feePaid }) => money(feePaid), align: 'end' },
  {
    key: 'positions',
    title: 'Positions',
    cell: ({ positions }) => positions,
    align: 'end',
    onPhone: 'hidden',
  },
  {
    key: 'since',
    title: 'Started',
    cell: ({ startedAt, endedAt }) =>
      endedAt === null ? day(startedAt, now) : `${day(startedAt, now)} to ${day(endedAt, now)}`,
    align: 'end',
  },
]

/** Refresh interval of the copies, whose equity moves with prices, ms. */
const EQUITY_MS = 5_000

/** The strategy that the user publishes, and the user's copies of others, running ones first. */
export function CopiesTab({ profile }: TabProps) {
  const now = useNow()
  const { table, first } = usePaged(
    listUserCopies,
    { id: profile.user.id },
    { rowsOf: ({ copies }) => copies, topics: ['copying'], refreshMs: EQUITY_MS },
  )
  return (
    <>
      {first?.strategy && <OwnStrategy strategy={first.strategy} now={now} />}
      {first && <Publisher profile={profile} {...first} />}
      <DataTable
        {...table}
        label="Copies"
        columns={columnsAt(now)}
        keyOf={({ id }) => id}
        empty={{ title: 'No copies yet', text: 'The user has not copied a strategy.' }}
      />
    </>
  )
}

/** Whether the person may publish, with the person's other accounts: what holds for one holds for all. */
function Publisher({
  profile: { user },
  isStaff,
  otherAccounts,
}: Pick<TabProps, 'profile'> & Pick<OutputOf<typeof listUserCopies>, 'isStaff' | 'otherAccounts'>) {
  const mayChange = useMay('recordStaff')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section
      aria-label="Publishing"
      className="flex max-w-3xl flex-wrap items-center gap-x-3 gap-y-2 text-note"
    >
      <p className="text-second">
        {isStaff ? 'Works for us, so may not publish strategies.' : 'Not recorded as working for us.'}
        {otherAccounts.length > 0 && (
          <>
            {' The same person: '}
            {otherAccounts.map((id) => (
              <span key={id} className="me-2">
                <UserLink accountId={id} />
              </span>
            ))}
          </>
        )}
      </p>
      {mayChange && (
        <Button size="small" tone="outline" onClick={() => setIsOpen(true)}>
          {isStaff ? 'No longer works for us' : 'Works for us'}
        </Button>
      )}
      {isOpen && (
        <ReasonDialog
          title={
            isStaff
              ? `User ${asName(user.uid)} no longer works for us`
              : `User ${asName(user.uid)} works for us`
          }
          text={
            isStaff
              ? 'The person may publish strategies again. A strategy that was hidden stays hidden until you show it.'
              : 'People who work for us may not publish, because we gain when copiers lose. Running strategies of the person are hidden: their owner reads the reason, and running copies go on.'
          }
          endpoint={setStaff}
          inputOf={(reason) => ({ id: user.id, isStaff: !isStaff, reason })}
          changes={[{ label: 'Works for us', before: isStaff ? 'yes' : 'no', after: isStaff ? 'no' : 'yes' }]}
          submitLabel="Record"
          done="Recorded."
          topics={['copying']}
          onClose={() => setIsOpen(false)}
        />
      )}
    </section>
  )
}

const OwnStrategy = ({ strategy, now }: { strategy: DeskStrategy; now: number }) => (
  <section aria-label="Strategy" className="max-w-3xl">
    <Card>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="min-w-0 font-bold break-words">
          {strategy.endedAt === null ? 'Publishes' : 'Published'} <bdi translate="no">{strategy.name}</bdi>
        </h2>
        {strategy.isHidden && <Badge tone="down">hidden</Badge>}
        <Link
          to={`/copying?find=${strategy.id}`}
          className="ms-auto text-note underline decoration-line underline-offset-4"
        >
          {strategy.openReports > 0 ? countText(strategy.openReports, 'open report') : 'Show under Copying'}
        </Link>
      </div>
      <FactList facts={strategyFacts(strategy, now)} />
    </Card>
  </section>
)
