import { useQuery } from '@tanstack/react-query'
import { FolderDown, KeyRound, Languages } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { getNoticeChoices, type NoticeChoice, type NoticeWay, switchNotices } from '@fairlot/contract'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { LANGUAGES } from '../../i18n/language.ts'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { useUser } from '../../live/session/user.ts'
import { useLanguage } from '../../live/device/language.ts'
import { setPreferences, usePreferences } from '../../live/device/preferences.ts'
import { usePushDevices } from '../../live/account/push.ts'
import { refreshNotices } from '../../live/account/notices.ts'
import { queryClient } from '../../live/requests/query-client.ts'
import { request } from '../../live/requests/request.ts'
import { FailedLine } from '../../ui/failed-line.tsx'
import { PushCard } from './push-card.tsx'
import { Logout } from './logout.tsx'

type SystemScreenProps = {
  /** Second factor; for real accounts only. */
  secondFactor: ReactNode
  sessions: ReactNode
}

/** Settings: appearance, for visitors too; notices, security and sessions for users. */
export function SystemScreen({ secondFactor, sessions }: SystemScreenProps) {
  const t = useTranslations()
  const user = useUser()
  const isLoggedIn = useIsLoggedIn()
  const chosen = useLanguage()
  const language = LANGUAGES[chosen]
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      <Appearance />
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink
            icon={Languages}
            to="/language"
            title={t('user.language')}
            value={asName(language.name)}
          />
          {user && !user.isDemo && (
            <ListLink icon={KeyRound} to="/mine/password" title={t('screens.password')} />
          )}
          {user && (
            <ListLink icon={FolderDown} to="/mine/data" title={t('screens.data')} note={t('user.dataText')} />
          )}
        </div>
      </Card>
      {user && <PushCard />}
      {user && <NoticeChoices hasMail={!user.isDemo} />}
      {user && !user.isDemo && secondFactor}
      {user && sessions}
      {isLoggedIn && <Logout isDemo={user?.isDemo ?? false} />}
    </div>
  )
}

/** Theme and colour of a rise, kept on this device. */
function Appearance() {
  const t = useTranslations('user')
  const { theme, rise } = usePreferences()
  return (
    <Card>
      <h2 className="mb-2 text-note text-second">{t('theme')}</h2>
      <Segmented
        label={t('theme')}
        value={theme}
        onChange={(next) => setPreferences({ theme: next })}
        options={[
          { value: 'system', label: t('themeSystem') },
          { value: 'light', label: t('themeLight') },
          { value: 'dark', label: t('themeDark') },
        ]}
      />
      <h2 className="mt-4 mb-2 text-note text-second">{t('rise')}</h2>
      <Segmented
        label={t('rise')}
        value={rise}
        onChange={(next) => setPreferences({ rise: next })}
        options={[
          { value: 'language', label: t('riseLanguage') },
          { value: 'green', label: t('riseGreen') },
          { value: 'red', label: t('riseRed') },
        ]}
      />
    </Card>
  )
}

const CHOICES_KEY = ['user', 'noticeChoices']
type Choices = { readonly choices: readonly NoticeChoice[] }

/** Which notices the user receives in the app, by e-mail and by push; a demo account has no e-mail. */
function NoticeChoices({ hasMail }: { hasMail: boolean }) {
  const t = useTranslations('notices')
  const hasPush = (usePushDevices()?.length ?? 0) > 0
  const { data, isError, refetch } = useQuery({
    queryKey: CHOICES_KEY,
    queryFn: ({ signal }) => request(getNoticeChoices, null, { signal, isSilent: true }),
  })
  return (
    <Card>
      <div role="group" aria-label={t('choices')} className="flex flex-col gap-1">
        <div className="flex items-end gap-3 text-note text-second">
          <h2 className="min-w-0 grow">{t('choices')}</h2>
          <span className="w-12 text-center">{t('app')}</span>
          {hasMail && <span className="w-12 text-center">{t('mail')}</span>}
          {hasPush && <span className="w-12 text-center">{t('push')}</span>}
        </div>
        {data ? (
          data.choices.map((choice) => (
            <ChoiceRow key={choice.group} choice={choice} hasMail={hasMail} hasPush={hasPush} />
          ))
        ) : isError ? (
          <FailedLine text={t('choicesFailed')} onRetry={refetch} />
        ) : (
          <Skeleton shape="h-40 w-full" />
        )}
        <p className="pt-1 text-note text-second">
          {t('securityStays')}
          {hasPush && hasMail && ` ${t('pushMail')}`}
        </p>
      </div>
    </Card>
  )
}

type ChoiceRowProps = { choice: NoticeChoice; hasMail: boolean; hasPush: boolean }

function ChoiceRow({ choice, hasMail, hasPush }: ChoiceRowProps) {
  const t = useTranslations('notices')
  const { group, app, mail, push } = choice
  const box = (way: NoticeWay, isOn: boolean | null) => {
    const isFixed = isOn === null
    return (
      <label className="grid min-h-11 w-12 place-items-center">
        <input
          type="checkbox"
          aria-label={`${t(`group.${group}`)}: ${t(way)}`}
          checked={isFixed ? group === 'security' : isOn}
          disabled={isFixed}
          onChange={({ target }) => applySwitch({ group, way, isOn: target.checked })}
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
      {hasPush && box('push', push)}
    </div>
  )
}

type NoticeSwitch = { readonly group: NoticeChoice['group']; readonly way: NoticeWay; readonly isOn: boolean }

/** Shows the switch at once and sends it; if that fails, loads the choices again. */
function applySwitch({ group, way, isOn }: NoticeSwitch): void {
  queryClient.setQueryData<Choices>(
    CHOICES_KEY,
    (known) =>
      known && { choices: known.choices.map((one) => (one.group === group ? { ...one, [way]: isOn } : one)) },
  )
  request(switchNotices, { group, way, isOn })
    .then(refreshNotices)
    .catch(() => queryClient.invalidateQueries({ queryKey: CHOICES_KEY }))
}
