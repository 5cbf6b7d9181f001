import { getNoticeChoices, switchNotices, type NoticeChoice, type NoticeWay } from '@fairlot/contract'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { refreshNotices } from '../../live/notices.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'
import { FailedLine } from '../../ui/failed-line.tsx'

const KEY = ['user', 'noticeChoices']
type Choices = { readonly choices: readonly NoticeChoice[] }

/** Of what the user hears, behind the bell and by mail; a demo account has no mails. */
export function NoticeChoices({ hasMail }: { hasMail: boolean }) {
  const t = useTranslations('notices')
  const { data, isError, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request(getNoticeChoices, null, { signal, isSilent: true }),
  })
  return (
    <Card>
      <div role="group" aria-label={t('choices')} className="flex flex-col gap-1">
        <div className="flex items-end gap-3 text-note text-second">
          <h2 className="min-w-0 grow">{t('choices')}</h2>
          <span className="w-12 text-center">{t('app')}</span>
          {hasMail && <span className="w-12 text-center">{t('mail')}</span>}
        </div>
        {data ? (
          data.choices.map((choice) => <ChoiceRow key={choice.group} choice={choice} hasMail={hasMail} />)
        ) : isError ? (
          <FailedLine text={t('choicesFailed')} onRetry={refetch} />
        ) : (
          <Skeleton shape="h-40 w-full" />
        )}
        <p className="pt-1 text-note text-second">{t('securityStays')}</p>
      </div>
    </Card>
  )
}

function ChoiceRow({ choice, hasMail }: { choice: NoticeChoice; hasMail: boolean }) {
  const t = useTranslations('notices')
  const { group, app, mail } = choice
  const box = (way: NoticeWay, isOn: boolean | null) => {
    const isFixed = isOn === null
    return (
      <label className="grid min-h-11 w-12 place-items-center">
        <input
          type="checkbox"
          aria-label={`${t(`group.${group}`)}: ${t(way)}`}
          checked={isFixed ? group === 'security' : isOn}
          disabled={isFixed}
          onChange={({ target }) => switchTo({ group, way, isOn: target.checked })}
          className="size-5 accent-ink disabled:opacity-40"
        />
      </label>
    )
  }
  return (
    <div className="flex items-center gap-3">
      <span className="min-w-0 grow">{t(`group.${group}`)}</span>
      {box('app', app)}
      {hasMail && box('mail', mail)}
    </div>
  )
}

type Switched = { readonly group: NoticeChoice['group']; readonly way: NoticeWay; readonly isOn: boolean }

/** Shown at once; refused or lost, it is asked for again and says what is. */
function switchTo({ group, way, isOn }: Switched): void {
  queryClient.setQueryData<Choices>(
    KEY,
    (was) =>
      was && { choices: was.choices.map((one) => (one.group === group ? { ...one, [way]: isOn } : one)) },
  )
  request(switchNotices, { group, way, isOn })
    .then(refreshNotices)
    .catch(() => queryClient.invalidateQueries({ queryKey: KEY }))
}
