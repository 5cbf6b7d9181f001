import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { deviceName, type PushDevice } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { PillButton } from '@fairlot/ui/controls/pill-button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import {
  removeDevice,
  type SwitchedOn,
  switchPushOff,
  switchPushOn,
  usePushDevices,
  usePushState,
} from '../../live/account/push.ts'

/** Switches pushed notices on and off for this browser, and off for others. */
export function PushCard() {
  const t = useTranslations('notices')
  const state = usePushState()
  const devices = usePushDevices() ?? []
  const here = devices.find(({ isCurrent }) => isCurrent) ?? null
  const others = devices.filter((device) => device !== here)
  const [outcome, setOutcome] = useState<SwitchedOn | null>(null)
  const on = useMutation({ mutationFn: switchPushOn, onSuccess: setOutcome })
  const off = useMutation({
    mutationFn: () => switchPushOff(here?.id ?? null),
    onSettled: () => setOutcome(null),
  })
  if (state === undefined) return null
  const isOn = state === 'on'
  const problem =
    state === 'denied' ? 'denied' : outcome === 'dismissed' || outcome === 'failed' ? outcome : null
  return (
    <Card>
      <h2 className="mb-1 font-bold">{t('pushTitle')}</h2>
      <p className="text-note text-second">{t(TEXTS[state])}</p>
      <p role="status" className={problem === null ? 'sr-only' : 'mt-2 text-note text-danger'}>
        {problem === null ? '' : t(PROBLEMS[problem])}
      </p>
      {(state === 'off' || isOn) && (
        <div className="mt-3">
          <Button
            tone={isOn ? 'outline' : 'ink'}
            isWide
            isBusy={on.isPending || off.isPending}
            onClick={() => (isOn ? off.mutate() : on.mutate())}
          >
            {t(isOn ? 'pushTurnOff' : 'pushTurnOn')}
          </Button>
        </div>
      )}
      {others.length > 0 && (
        <>
          <h3 className="mt-4 text-note text-second">{t('pushOthers')}</h3>
          <ul className="divide-y divide-line">
            {others.map((device) => (
              <DeviceRow key={device.id} device={device} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

const TEXTS = {
  unsupported: 'pushUnsupported',
  install: 'pushInstall',
  denied: 'pushText',
  off: 'pushText',
  on: 'pushIsOn',
} as const

const PROBLEMS = { denied: 'pushDenied', dismissed: 'pushDismissed', failed: 'pushFailed' } as const

function DeviceRow({ device: { id, device, addedAt } }: { device: PushDevice }) {
  const t = useTranslations('notices')
  const auth = useTranslations('auth')
  const { moments } = useLocale()
  const remove = useMutation({ mutationFn: () => removeDevice(id) })
  const name = deviceName(device) ?? auth('unknownDevice')
  const time = moments.dateTime(addedAt)
  return (
    <li className="flex flex-wrap items-center gap-x-3 py-2">
      <div className="min-w-0 flex-[1_1_10rem]">
        <p>{deviceName(device) === null ? name : <Name>{name}</Name>}</p>
        <p className="text-note text-second">{withNames(t('pushSince', { time: asName(time) }))}</p>
      </div>
      <PillButton
        isBusy={remove.isPending}
        aria-label={t('pushRemoveNamed', { device: name, time })}
        onClick={() => remove.mutate()}
      >
        {t('pushRemove')}
      </PillButton>
    </li>
  )
}
