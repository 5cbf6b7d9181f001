import {
  answerStrategyReports,
  type DeskStrategy,
  hideStrategy,
  listStrategyReports,
  showStrategy,
  type StrategyReportRow,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button, type ButtonTone } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName, Name } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { countText } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead, TitledBox } from '../../ui/split-view.tsx'
import { strategyFacts } from '../../ui/strategy-facts.ts'
import { UserLink } from '../../ui/user-link.tsx'

/** One strategy as its owner describes it, with the reports of users. */
export function StrategyDetail({ strategy }: { strategy: DeskStrategy }) {
  const now = useNow()
  const { id, userId, name, description, ledger, isHidden, hiddenFor } = strategy
  return (
    <>
      <DetailHead
        kind={`Strategy ${asName(id)} · ${ledger === 'demo' ? 'demo' : 'real money'}`}
        title={asName(name)}
        badge={isHidden && <Badge tone="down">hidden</Badge>}
      />
      {hiddenFor !== null && <TitledBox title="Hidden: reason shown to its owner">{hiddenFor}</TitledBox>}
      <FactList
        facts={[{ label: 'Owner', value: <UserLink accountId={userId} /> }, ...strategyFacts(strategy, now)]}
      />
      <TitledBox title="Description">
        <p dir="auto" className="break-words whitespace-pre-line">
          {description || 'none'}
        </p>
      </TitledBox>
      <Reports id={id} now={now} />
    </>
  )
}

/** The reports of users, the newest first. */
function Reports({ id, now }: { id: number; now: number }) {
  const { data, problem, retry } = useDeskQuery(listStrategyReports, { id })
  if (!data && problem !== null) return <LoadFailed problem={problem} onRetry={retry} />
  return (
    <section aria-label="Reports" className="flex flex-col gap-2">
      <h3 className="font-bold">Reports of users</h3>
      {!data && <Skeleton shape="h-20 w-full" />}
      {data?.reports.length === 0 && <p className="text-note text-second">No user has reported it.</p>}
      <ul className="flex flex-col gap-2">
        {data?.reports.map((report) => (
          <Report key={report.id} report={report} now={now} />
        ))}
      </ul>
    </section>
  )
}

const Report = ({ report: { at, userId, reason, answeredAt }, now }: ReportProps) => (
  <li className="rounded-card bg-page px-3.5 py-3 text-note">
    <p className="flex flex-wrap items-baseline justify-between gap-x-3 text-second">
      <span>
        <UserLink accountId={userId} /> · <Name>{moment(at, now)}</Name>
      </span>
      {answeredAt === null ? (
        <Badge tone="brass">open</Badge>
      ) : (
        <span>
          answered <Name>{moment(answeredAt, now)}</Name>
        </span>
      )}
    </p>
    <p dir="auto" className="pt-1 break-words whitespace-pre-line">
      {reason}
    </p>
  </li>
)

type ReportProps = { report: StrategyReportRow; now: number }

type Decision = 'hide' | 'show' | 'answer'

/** What each decision is called and does; owners read the reason of each. */
const DECISIONS: Readonly<
  Record<
    Decision,
    {
      readonly label: string
      readonly tone: ButtonTone
      readonly endpoint: typeof hideStrategy
      readonly title: (strategy: DeskStrategy) => string
      readonly text: string
      readonly done: string
    }
  >
> = {
  hide: {
    label: 'Hide',
    tone: 'danger',
    endpoint: hideStrategy,
    title: ({ name }) => `Hide “${asName(name)}”`,
    text: 'It leaves the lists, and nobody can start a copy of it. Running copies go on. Its owner reads the reason.',
    done: 'Strategy hidden.',
  },
  show: {
    label: 'Show again',
    tone: 'ink',
    endpoint: showStrategy,
    title: ({ name }) => `Show “${asName(name)}” again`,
    text: 'It returns to the lists, and users can start copies of it. Its owner reads the reason.',
    done: 'Strategy shown again.',
  },
  answer: {
    label: 'Answer reports',
    tone: 'outline',
    endpoint: answerStrategyReports,
    title: ({ openReports }) => `Answer ${countText(openReports, 'report')}`,
    text: 'The open reports are closed, and nothing else changes. Its owner reads the reason.',
    done: 'Reports answered.',
  },
}

/** The buttons below a strategy, for roles that may decide about it. */
export function StrategyActions({ strategy }: { strategy: DeskStrategy }) {
  const [openDecision, setOpenDecision] = useState<Decision | null>(null)
  const { id, isHidden, openReports } = strategy
  const possible: readonly Decision[] = [
    ...(openReports > 0 ? ['answer' as const] : []),
    isHidden ? 'show' : 'hide',
  ]
  const decision = openDecision && DECISIONS[openDecision]
  return (
    <>
      {possible.map((each) => (
        <Button key={each} tone={DECISIONS[each].tone} onClick={() => setOpenDecision(each)}>
          {DECISIONS[each].label}
        </Button>
      ))}
      {decision && (
        <ReasonDialog
          title={decision.title(strategy)}
          text={decision.text}
          endpoint={decision.endpoint}
          inputOf={(reason) => ({ id, reason })}
          topics={['people']}
          submitLabel={decision.label}
          tone={decision.tone === 'danger' ? 'danger' : 'ink'}
          done={decision.done}
          onClose={() => setOpenDecision(null)}
        />
      )}
    </>
  )
}
