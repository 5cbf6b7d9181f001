import {
  type CaseFact,
  type CaseStep,
  type CaseNotice,
  type AuditEntryRow,
  getWaitingCase,
  type RelatedCase,
  userNumber,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import { LANGUAGE_NAMES } from '../../i18n/languages.ts'
import { directionOf, languageOfCode, tagOf } from '@fairlot/contract'
import { parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { type Fact, FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { actionName, outcomeText } from '../../i18n/audit-text.ts'
import { exactMoney } from '../../i18n/figures.ts'
import { moment } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useSelf } from '../../live/session.ts'
import { useViewers } from '../../live/socket.ts'
import { ChangeList, shownChanges } from '../../ui/change-list.tsx'
import { ChatPanel } from '../../ui/chat.tsx'
import { LoadFailed } from '../../ui/load-failed.tsx'
import { DetailHead, TitledBox } from '../../ui/split-view.tsx'
import { UserLink } from '../../ui/user-link.tsx'
import { CaseAssignment } from './case-assignment.tsx'
import { IdentityView } from './identity.tsx'
import { ProofView } from './payment-actions.tsx'
import { amountText } from './waiting-list.tsx'

type OpenCase = {
  /** Undefined while loading. */
  readonly shown: WaitingDetail | undefined
  /** Why it cannot be shown, or that it is no longer open. */
  readonly problem: string | null
  /** Another operator has decided it in the meantime. */
  readonly isClosed: boolean
  readonly retry: () => void
  /** Other operators who view it now. */
  readonly others: readonly string[]
}

export function useCase(caseKey: string | null): OpenCase {
  const self = useSelf()
  const viewers = useViewers(caseKey)
  const query = useDeskQuery(getWaitingCase, { caseKey: caseKey ?? '' }, { isOn: caseKey !== null })
  const { data: shown, problem, retry } = query
  return {
    shown,
    problem,
    retry,
    isClosed: shown !== undefined && problem !== null,
    others: viewers.filter((name) => name !== self.name),
  }
}

/** The details of a case: facts, changes, steps, and the texts shown to users. */
export function CaseBody({ open }: { open: OpenCase }) {
  const { shown, problem } = open
  if (shown) return <Details open={open} shown={shown} />
  return problem === null ? (
    <Skeleton shape="h-64 w-full" />
  ) : (
    <LoadFailed problem={problem} onRetry={open.retry} />
  )
}

function Details({ open, shown }: { open: OpenCase; shown: WaitingDetail }) {
  const now = useNow()
  const { case: row, facts, changes, steps, words, noWords, acts } = shown
  const amount = amountText(row)
  return (
    <>
      <DetailHead
        kind={[amount === '' ? null : row.title, row.accountId && `user ${asName(userNumber(row.accountId))}`]
          .filter(Boolean)
          .join(' · ')}
        title={amount === '' ? row.title : amount}
        badge={row.needsSecond && <Badge tone="brass">needs two operators</Badge>}
      />
      {open.isClosed && (
        <p role="status" className="rounded-card bg-brass-tint px-3.5 py-3 text-note">
          {open.problem}
        </p>
      )}
      {open.others.length > 0 && (
        <p role="status" className="text-note text-brass">
          {withNames(open.others.map(asName).join(', '))} {open.others.length === 1 ? 'is' : 'are'} viewing
          this as well.
        </p>
      )}
      {!open.isClosed && <CaseAssignment row={row} deciders={shown.deciders} />}
      {row.kind === 'deposit' && <ProofView id={Number(row.caseKey.split(':')[1])} />}
      {row.riskReasons.length > 0 && (
        <ul aria-label="Risk flags" className="flex flex-wrap gap-1.5">
          {row.riskReasons.map((why) => (
            <li key={why}>
              <Badge tone={row.risk === 'high' ? 'down' : 'brass'}>{why}</Badge>
            </li>
          ))}
        </ul>
      )}
      {(facts.length > 0 || row.kind === 'chat') && (
        <FactList facts={[...userFact(row.accountId), ...facts.map(factOf)]} />
      )}
      {shown.decision === 'identity' && row.accountId !== null && <IdentityView accountId={row.accountId} />}
      {shown.related.length > 0 && <RelatedCases cases={shown.related} />}
      {row.kind === 'chat' && row.accountId !== null && <ChatPanel id={row.accountId} />}
      {changes.length > 0 && <ChangeList changes={shownChanges(changes)} />}
      <Steps label="Steps" steps={steps.map((step) => stepOf(step, now))} />
      {(words.length > 0 || noWords !== '') && (
        <UserTexts words={words} noWords={noWords} accountId={row.accountId} />
      )}
      {acts.length > 0 && (
        <TitledBox title="Recent audit entries for this account">
          <LastEntries entries={acts} now={now} />
        </TitledBox>
      )}
    </>
  )
}

const userFact = (accountId: number | null): Fact[] =>
  accountId === null ? [] : [{ label: 'User', value: <UserLink accountId={accountId} /> }]

const TONES = { plain: {}, good: { tone: 'up' }, bad: { tone: 'down' } } as const

/** The facts of a case, by the server's labels, that name a bank, payee, network, account or source, and say nothing. */
const NAME_FACTS: readonly string[] = [
  'Instrument',
  'Memo',
  'Method',
  'Sent to',
  'Source',
  'Tag or memo',
  'To',
  'Transaction number',
]

const factOf = ({ label, format, value, tone }: CaseFact): Fact => ({
  label,
  value:
    format === 'money'
      ? exactMoney(parseDecimal(value, MONEY_DECIMALS) ?? 0n)
      : NAME_FACTS.includes(label)
        ? asName(value)
        : value,
  ...TONES[tone],
})

const stepOf = ({ title, state, by, at, note }: CaseStep, now: number): Step => ({
  title: by === null ? title : `${title} by ${asName(by)}`,
  state: state === 'next' ? 'ahead' : state,
  note: [at === null ? null : asName(moment(at, now)), at !== null && note !== '' ? `“${note}”` : note]
    .filter((part) => part !== null && part !== '')
    .join(' · '),
})

/** Cases that may be about the same transfer, each with links to the case and to the user. */
const RelatedCases = ({ cases }: { cases: readonly RelatedCase[] }) => (
  <TitledBox title="Possibly the same transfer">
    <ul className="divide-y divide-line">
      {cases.map((each) => (
        <RelatedRow key={each.caseKey} related={each} />
      ))}
    </ul>
  </TitledBox>
)

function RelatedRow({ related: { caseKey, title, accountId, why, state, waits } }: { related: RelatedCase }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-2 text-note">
      <span>
        {waits ? (
          <Link
            to={`/waiting/${caseKey}`}
            className="font-medium underline decoration-line underline-offset-4"
          >
            {title}
          </Link>
        ) : (
          <span className="font-medium">{title}</span>
        )}
        {accountId !== null && (
          <>
            {' of '}
            <UserLink accountId={accountId} />
          </>
        )}
        {state !== '' && <span className="text-second"> · {state}</span>}
      </span>
      <Badge tone="down">{why}</Badge>
    </li>
  )
}

const WHEN_LABELS: Record<CaseNotice['when'], string> = {
  now: 'Now',
  approved: 'Once approved',
  refused: 'Once rejected',
}

/** The exact texts that users are shown, by language; or why they are shown none. */
function UserTexts({ words, noWords, accountId }: UserTextsProps) {
  const groups = Map.groupBy(words, ({ when, language }) => `${when} ${language}`)
  return (
    <TitledBox title={accountId === null ? 'Shown to users' : 'Shown to the user'}>
      {noWords !== '' && <p className="pt-1">{noWords}</p>}
      {[...groups].map(([key, texts]) => (
        <TextGroup key={key} texts={texts} />
      ))}
    </TitledBox>
  )
}

type UserTextsProps = Pick<WaitingDetail, 'words' | 'noWords'> & { accountId: number | null }

function TextGroup({ texts }: { texts: readonly CaseNotice[] }) {
  const [first] = texts
  if (!first) return null
  const language = languageOfCode(first.language)
  return (
    <div className="pt-2">
      <h4 className="text-second">
        {WHEN_LABELS[first.when]}, {LANGUAGE_NAMES[language]}
      </h4>
      <ul className="mt-1 border-s-2 border-line ps-2.5">
        {texts.map(({ text }) => (
          <li
            key={text}
            lang={tagOf(language)}
            dir={directionOf(language)}
            className="whitespace-pre-line wrap-anywhere"
          >
            {text}
          </li>
        ))}
      </ul>
    </div>
  )
}

const LastEntries = ({ entries, now }: { entries: readonly AuditEntryRow[]; now: number }) => (
  <ul className="flex flex-col gap-1.5 pt-1.5">
    {entries.map((entry) => (
      <li key={entry.id}>
        <span className="font-medium">{actionName(entry.act)}</span>
        {outcomeText(entry.outcome) !== 'done' && <> · {outcomeText(entry.outcome)}</>}
        <span className="block text-second">
          <Name>{entry.operator}</Name>, <Name>{moment(entry.at, now)}</Name>
          {entry.reason !== '' && <> · “{entry.reason}”</>}
        </span>
      </li>
    ))}
  </ul>
)

type Step = {
  title: string
  /** When, by whom and why. */
  note?: ReactNode
  /** `now` is the current step; at most one. */
  state: 'done' | 'now' | 'ahead'
}

const STEP_CLASSES = {
  done: 'bg-brass border-brass',
  now: 'border-ink bg-surface border-[3px]',
  ahead: 'border-line bg-surface border-2',
}
const STEP_LABELS = { done: 'done', now: 'current step', ahead: 'upcoming' }

/** The timeline of a case: completed, current and future steps. */
export const Steps = ({ label, steps }: { label: string; steps: readonly Step[] }) => (
  <ol aria-label={label} className="flex flex-col">
    {steps.map(({ title, note, state }) => (
      <li
        key={title}
        aria-current={state === 'now' ? 'step' : undefined}
        className="group relative flex gap-3 pb-4"
      >
        <span
          aria-hidden
          className="absolute start-[5px] top-3 bottom-[-4px] w-px bg-line group-last:hidden"
        />
        <span
          aria-hidden
          className={classNames('relative mt-[5px] size-3 shrink-0 rounded-full border', STEP_CLASSES[state])}
        />
        <div className="min-w-0">
          <p className="font-bold">
            {withNames(title)}
            <span className="sr-only">, {STEP_LABELS[state]}</span>
          </p>
          {note && <p className="text-note text-second">{withNames(note)}</p>}
        </div>
      </li>
    ))}
  </ol>
)
