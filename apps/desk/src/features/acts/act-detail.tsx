import { type DeskActRow, getAct, subjectLabel } from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/badge.tsx'
import { FactList, type Fact } from '@fairlot/ui/fact-list.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { shownChanges } from '../../i18n/field-words.ts'
import { moment } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { ChangeList } from '../../ui/change-list.tsx'
import { PersonLink } from '../../ui/person-link.tsx'
import { DetailHead, Passage } from '../../ui/split-view.tsx'
import { useNow } from '../../ui/use-now.ts'
import { actName, outcomeText } from '../../i18n/act-words.ts'

/** One act, what it changed, and its link in the chain. */
export function ActDetail({ id }: { id: number }) {
  const now = useNow()
  const { data, problem } = useDeskQuery(getAct, { id })
  if (!data) return problem === null ? <Skeleton shape="h-64 w-full" /> : <p role="alert">{problem}</p>
  const { act, changes, hash, previousHash } = data
  return (
    <>
      <DetailHead
        kind={`Act ${act.id} · ${moment(act.at, now)}`}
        title={actName(act.act)}
        badge={<Badge tone={act.outcome === 'done' ? 'up' : 'down'}>{outcomeText(act.outcome)}</Badge>}
      />
      <FactList facts={factsOf(act, now)} />
      {act.reason !== '' && <Passage title="Reason">{act.reason}</Passage>}
      {changes.length > 0 && <ChangeList changes={shownChanges(changes)} />}
      <Passage title="Its link in the chain">
        <code dir="ltr" className="block pt-1 break-all">
          {hash}
        </code>
        <span className="block pt-2 text-second">after</span>
        <code dir="ltr" className="block break-all">
          {previousHash}
        </code>
      </Passage>
    </>
  )
}

const factsOf = (act: DeskActRow, now: number): Fact[] => [
  { label: 'Who', value: `${act.operator} (${act.role})` },
  ...(act.second === null ? [] : [{ label: 'Second person', value: act.second }]),
  { label: 'On', value: act.about },
  ...(act.accountId === null ? [] : [{ label: 'Person', value: <PersonLink accountId={act.accountId} /> }]),
  ...(act.caseKey === null ? [] : [{ label: 'Case', value: subjectLabel(act.caseKey) }]),
  ...(act.journalAt === null ? [] : [{ label: 'In the journal at', value: moment(act.journalAt, now) }]),
]
