import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deviceName, type SessionView } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { PillButton } from '@fairlot/ui/controls/pill-button.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { logOutOnAllDevices } from '../../../live/session/session.ts'
import { endOwnSession, useSessions } from './queries.ts'

/** The user's sessions, each with a button that ends it. */
export function SessionsCard({ isDemo }: { isDemo: boolean }) {
  const t = useTranslations()
  const { data: sessions, isError, refetch } = useSessions()
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('auth.sessions')}</h2>
      <p className="text-note text-second">{t('auth.sessionsText')}</p>
      {sessions ? (
        <ul className="my-2 divide-y divide-line">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : isError ? (
        <p className="my-2 text-note text-danger">
          {t('auth.sessionsFailed')} <TextButton onClick={() => void refetch()}>{t('app.retry')}</TextButton>
        </p>
      ) : (
        <div className="my-3">
          <Skeleton shape="h-12 w-full" />
        </div>
      )}
      <LogoutEverywhere isDemo={isDemo} />
    </Card>
  )
}

function SessionRow({ session }: { session: SessionView }) {
  const t = useTranslations('auth')
  const { moments } = useLocale()
  const end = useMutation({ mutationFn: () => endOwnSession(session.id) })
  const device = deviceName(session.device) ?? t('unknownDevice')
  const seen = moments.dateTime(session.seenAt)
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-2">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p>{deviceName(session.device) === null ? device : <Name>{device}</Name>}</p>
        <p className="text-note text-second">
          {session.isCurrent ? t('thisSession') : withNames(t('seenAt', { time: asName(seen) }))}
          {session.address !== '' && (
            <>
              {' · '}
              <bdi dir="ltr" translate="no">
                {session.address}
              </bdi>
            </>
          )}
        </p>
      </div>
      {!session.isCurrent && (
        <PillButton
          isBusy={end.isPending}
          aria-label={t('endSessionNamed', { device, time: seen })}
          onClick={() => end.mutate()}
        >
          {t('endSession')}
        </PillButton>
      )}
    </li>
  )
}

/** Ends every session after a confirmation, including this one. */
function LogoutEverywhere({ isDemo }: { isDemo: boolean }) {
  const t = useTranslations()
  const [isConfirming, setIsConfirming] = useState(false)
  const logout = useMutation({ mutationFn: logOutOnAllDevices, onSettled: () => setIsConfirming(false) })
  return (
    <>
      <Button tone="outline" isWide onClick={() => setIsConfirming(true)}>
        {t('auth.logoutEverywhere')}
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={t('auth.logoutEverywhereTitle')}
        text={t(isDemo ? 'user.logoutDemoText' : 'auth.logoutEverywhereText')}
        confirmLabel={t('auth.logoutEverywhere')}
        cancelLabel={t('app.cancel')}
        isBusy={logout.isPending}
        onConfirm={() => logout.mutate()}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}
