import { coinWords, type ChargeChannel } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/card.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { QrCode } from '@fairlot/ui/qr-code.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { ShareButton } from '@fairlot/ui/share-button.tsx'
import { useSay } from '../../../i18n/use-say.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { tellOfCoins, useChargeChannels } from '../payment-queries.ts'
import { ChargeForm } from './charge-form.tsx'
import { NoChannel } from './no-channel.tsx'
import { useChargeForm } from './use-charge-form.ts'

/** Coins: where they go, then how many went. */
export function CoinCharge() {
  const [id, setId] = useState<string | null>(null)
  return (
    <Loaded query={useChargeChannels()}>
      {(channels) => {
        const channel = channels.find((each) => String(each.id) === id) ?? channels[0]
        return channel ? (
          <CoinChannel key={channel.id} channel={channel} channels={channels} onChoose={setId} />
        ) : (
          <NoChannel />
        )
      }}
    </Loaded>
  )
}

type CoinChannelProps = {
  channel: ChargeChannel
  channels: readonly ChargeChannel[]
  onChoose: (id: string) => void
}

function CoinChannel({ channel, channels, onChoose }: CoinChannelProps) {
  const t = useTranslations('payments')
  const say = useSay()
  const { id: channelId, address, currency, network } = channel
  const form = useChargeForm((told) => tellOfCoins({ ...told, address, channelId }))
  return (
    <>
      <Card>
        <div className="flex flex-col gap-4">
          <SelectField
            label={t('network')}
            value={String(channelId)}
            options={channels.map((each) => ({
              value: String(each.id),
              label: `${each.currency} · ${each.network}`,
            }))}
            onChange={onChoose}
          />
          <QrCode text={address} label={t('qr', { currency, network })} />
          <p className="text-center text-note font-bold break-all" dir="ltr">
            {address}
          </p>
          <p className="text-center text-note text-second">{coinWords(say, channel)}</p>
          <div className="flex flex-wrap gap-2 *:grow">
            <CopyButton
              text={address}
              label={t('copy')}
              doneLabel={t('copied')}
              failedText={t('copyFailed')}
            />
            <ShareButton
              title={t('qr', { currency, network })}
              text={address}
              label={t('share')}
              failedText={t('shareFailed')}
            />
          </div>
        </div>
      </Card>
      <ChargeForm {...form} currency={currency} leftToday={channel.leftToday} />
    </>
  )
}
