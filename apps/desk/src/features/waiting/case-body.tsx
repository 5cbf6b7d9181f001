import type { CaseFact, CaseStep, WaitingDetail } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { FactList, type Fact } from '@fairlot/ui/fact-list.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { CircleAlert } from 'lucide-react'
import { parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import { shownChanges } from '../../i18n/field-words.ts'
import { exactMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { ChatPanel } from '../../ui/chat/chat-panel.tsx'
import { ChangeList } from '../../ui/change-list.tsx'
import { DetailHead, Passage } from '../../ui/split-view.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { Steps, type Step } from '../../ui/steps.tsx'
import { useNow } from '../../ui/use-now.ts'
import { CaseHold } from './case-hold.tsx'
import { IdentityView } from './identity-view.tsx'
import { LastActs } from './last-acts.tsx'
import { ProofView } from './proof-view.tsx'
import { PersonReads } from './person-reads.tsx'
import { RelatedCases } from './related-cases.tsx'
import type { OpenCase } from './use-case.ts'
import { amountText } from './waiting-columns.tsx'

/** What decides a case: facts, what would change, its steps, and what the person reads. */
export function CaseBody({ open }: { open: OpenCase }) {
  const { shown, problem } = open
  if (shown) return <Shown open={open} shown={shown} />
  return problem === null ? (
    <Skeleton shape="h-64 w-full" />
  ) : (
    <Missing problem={problem} retry={open.retry} />
  )
}

const Missing = ({ problem, retry }: { problem: string; retry: () => void }) => (
  <div role="alert">
    <EmptyState
      icon={CircleAlert}
      title="This case does not wait"
      text={problem}
      action={
        <Button tone="outline" onClick={retry}>
          Look again
        </Button>
      }
    />
  </div>
)

function Shown({ open, shown }: { open: OpenCase; shown: WaitingDetail }) {
  const now = useNow()
  const { case: row, facts, changes, steps, words, noWords, acts } = shown
  const amount = amountText(row)
  return (
    <>
      <DetailHead
        kind={[amount === '' ? null : row.title, row.accountId && `account ${row.accountId}`]
          .filter(Boolean)
          .join(' · ')}
        title={amount === '' ? row.title : amount}
        badge={row.needsSecond && <Badge tone="brass">needs two</Badge>}
      />
      {open.isOver && (
        <p role="status" className="rounded-card bg-brass-tint px-3.5 py-3 text-note">
          {open.problem}
        </p>
      )}
      {open.others.length > 0 && (
        <p role="status" className="text-note text-brass">
          {open.others.join(', ')} {open.others.length === 1 ? 'looks' : 'look'} at this too.
        </p>
      )}
      {!open.isOver && <CaseHold row={row} />}
      {row.riskReasons.length > 0 && (
        <ul aria-label="Why it stands here" className="flex flex-wrap gap-1.5">
          {row.riskReasons.map((why) => (
            <li key={why}>
              <Badge tone={row.risk === 'high' ? 'down' : 'brass'}>{why}</Badge>
            </li>
          ))}
        </ul>
      )}
      {(facts.length > 0 || row.kind === 'chat') && (
        <FactList facts={[...personOf(row.accountId), ...facts.map(factOf)]} />
      )}
      {shown.decision === 'identity' && row.accountId !== null && <IdentityView accountId={row.accountId} />}
      {shown.related.length > 0 && <RelatedCases cases={shown.related} />}
      {row.kind === 'chat' && row.accountId !== null && <ChatPanel id={row.accountId} />}
      {row.kind === 'deposit' && <ProofView id={Number(row.caseKey.split(':')[1])} />}
      {changes.length > 0 && <ChangeList changes={shownChanges(changes)} />}
      <Steps label="Steps" steps={steps.map((step) => stepOf(step, now))} />
      {(words.length > 0 || noWords !== '') && (
        <PersonReads words={words} noWords={noWords} accountId={row.accountId} />
      )}
      {acts.length > 0 && (
        <Passage title="Last acts on this account">
          <LastActs acts={acts} now={now} />
        </Passage>
      )}
    </>
  )
}

const personOf = (accountId: number | null): Fact[] =>
  accountId === null ? [] : [{ label: 'Person', value: <PersonLink accountId={accountId} /> }]

const TONES = { plain: {}, good: { tone: 'up' }, bad: { tone: 'down' } } as const

const factOf = ({ label, format, value, tone }: CaseFact): Fact => ({
  ...{ label, value: format === 'money' ? exactMoney(parseDecimal(value, MONEY_DECIMALS) ?? 0n) : value },
  ...TONES[tone],
})

const stepOf = ({ title, state, by, at, note }: CaseStep, now: number): Step => ({
  ...{ title: by === null ? title : `${title} by ${by}`, state: state === 'next' ? 'ahead' : state },
  note: [at === null ? null : moment(at, now), at !== null && note !== '' ? `“${note}”` : note]
    .filter((part) => part !== null && part !== '')
    .join(' · '),
})
