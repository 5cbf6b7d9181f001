import { wireWords, type ChargeAccount } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Card } from '@fairlot/ui/card.tsx'
import { CopyButton } from '@fairlot/ui/copy-button.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { ShareButton } from '@fairlot/ui/share-button.tsx'
import { useSay } from '../../../i18n/use-say.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { tellOfWire, useChargeAccounts, useChargeCurrencies } from '../payment-queries.ts'
import { ChargeForm } from './charge-form.tsx'
import { NoChannel } from './no-channel.tsx'
import { useChargeForm } from './use-charge-form.ts'

/** Money by wire: in which currency, to which account, then how much went. */
export function WireCharge() {
  const t = useTranslations('payments')
  const [chosen, setChosen] = useState<string | null>(null)
  const currencies = useChargeCurrencies()
  const currency = chosen ?? currencies.data?.[0]?.currency
  const accounts = useChargeAccounts(currency)
  return (
    <Loaded query={currencies}>
      {(all) =>
        currency === undefined ? (
          <NoChannel />
        ) : (
          <>
            <Card>
              <SelectField
                label={t('currency')}
                value={currency}
                options={all.map((each) => ({ value: each.currency, label: each.currency }))}
                onChange={setChosen}
              />
            </Card>
            <Loaded query={accounts}>
              {(found) => <WireAccounts key={currency} accounts={found} currency={currency} />}
            </Loaded>
          </>
        )
      }
    </Loaded>
  )
}

function WireAccounts({ accounts, currency }: { accounts: readonly ChargeAccount[]; currency: string }) {
  const t = useTranslations('payments')
  const [id, setId] = useState<string | null>(null)
  const account = accounts.find((each) => String(each.id) === id) ?? accounts[0]
  if (!account) return <NoChannel />
  return (
    <>
      {accounts.length > 1 && (
        <Card>
          <SelectField
            label={t('channel')}
            value={String(account.id)}
            options={accounts.map((each) => ({ value: String(each.id), label: each.bankName }))}
            onChange={setId}
          />
        </Card>
      )}
      <WireAccount key={account.id} account={account} currency={currency} />
    </>
  )
}

function WireAccount({ account, currency }: { account: ChargeAccount; currency: string }) {
  const t = useTranslations('payments')
  const form = useChargeForm((told) => tellOfWire({ ...told, wireId: account.id }))
  const facts = wireWords(useSay(), account)
  return (
    <>
      <Card>
        <div className="flex flex-col gap-4">
          <FactList facts={facts} />
          <div className="flex flex-wrap gap-2 *:grow">
            <CopyButton
              text={account.payeeAccount}
              label={t('copyAccount')}
              doneLabel={t('copied')}
              failedText={t('copyFailed')}
            />
            <ShareButton
              title={account.bankName}
              text={facts.map(({ label, value }) => `${label}: ${value}`).join('\n')}
              label={t('share')}
              failedText={t('shareFailed')}
            />
          </div>
        </div>
      </Card>
      <ChargeForm {...form} currency={currency} leftToday={account.leftToday} />
    </>
  )
}
