import type { AlertView } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import { BellPlus, BellRing, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { withNames, withoutNames } from '@fairlot/ui/figures/names.tsx'
import { removeWaitingAlert, useAlerts } from '../../../live/account/alerts.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { FailedState } from '../../../ui/failed-state.tsx'
import { AlertSheet } from './alert-form.tsx'
import { useAlertTexts } from './alert-texts.ts'

/** The user's alerts: those that wait, those that have fired, with price, time and tick, and those that ended unfired. */
export function AlertsScreen() {
  const t = useTranslations('alert')
  const { alerts, error, refetch } = useAlerts()
  const [isOpen, setIsOpen] = useKeptState('new alert', false)
  return (
    <div className="mx-auto flex max-w-2xl flex-col gap-3 px-4 pb-6">
      {alerts ? (
        <Alerts alerts={alerts} />
      ) : error ? (
        <FailedState title={t('failed')} error={error} onRetry={refetch} />
      ) : (
        <Loading />
      )}
      {alerts && (
        <Button tone={alerts.length === 0 ? 'ink' : 'outline'} onClick={() => setIsOpen(true)}>
          <Icon of={BellPlus} size={18} />
          {t('new')}
        </Button>
      )}
      <AlertSheet isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </div>
  )
}

function Alerts({ alerts }: { alerts: readonly AlertView[] }) {
  const t = useTranslations('alert')
  if (alerts.length === 0) return <EmptyState icon={BellRing} title={t('none')} text={t('noneText')} />
  const waiting = alerts.filter(({ state }) => state === 'waiting')
  const fired = alerts.filter(({ state }) => state === 'fired')
  const ended = alerts.filter(({ state }) => state === 'expired' || state === 'instrumentOff')
  return (
    <>
      <Group title={t('waiting')} alerts={waiting} />
      <Group title={t('fired')} alerts={fired} />
      <Group title={t('ended')} alerts={ended} />
    </>
  )
}

const Group = ({ title, alerts }: { title: string; alerts: readonly AlertView[] }) =>
  alerts.length > 0 && (
    <section>
      <h2 className="pt-2 text-tiny text-second">{title}</h2>
      <ul className="divide-y divide-line">
        {alerts.map((alert) => (
          <AlertRow key={alert.id} alert={alert} />
        ))}
      </ul>
    </section>
  )

function AlertRow({ alert }: { alert: AlertView }) {
  const texts = useAlertTexts()
  const fired = texts.fired(alert)
  const ended = texts.ended(alert)
  const isWaiting = alert.state === 'waiting'
  return (
    <li className="flex items-center gap-3 py-2.5">
      <span className="flex min-w-0 grow flex-col gap-0.5">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-bold">{withNames(texts.subject(alert))}</bdi>
          <bdi>{withNames(texts.condition(alert))}</bdi>
        </span>
        {isWaiting && <span className="text-note text-second">{withNames(texts.state(alert))}</span>}
        {ended !== null && (
          <span className="text-note text-second">
            <bdi>{withNames(ended)}</bdi>
          </span>
        )}
        {fired !== null && (
          <span className="text-note text-second">
            <bdi>{withNames(fired)}</bdi>
          </span>
        )}
      </span>
      {isWaiting && <RemoveButton alert={alert} name={`${texts.subject(alert)} ${texts.condition(alert)}`} />}
    </li>
  )
}

/** Removes an alert at once: it can be set again as easily. */
export function RemoveButton({ alert, name }: { alert: AlertView; name: string }) {
  const t = useTranslations('alert')
  const removing = useMutation({ mutationFn: () => removeWaitingAlert(alert.id) })
  return (
    <IconButton
      icon={Trash2}
      label={t('remove', { alert: withoutNames(name) })}
      disabled={removing.isPending}
      onClick={() => removing.mutate()}
    />
  )
}

const Loading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2].map((row) => (
      <div key={row} className="flex min-h-16 flex-col justify-center gap-2">
        <Skeleton shape="h-3.5 w-56" />
        <Skeleton shape="h-2.5 w-40" />
      </div>
    ))}
  </div>
)
