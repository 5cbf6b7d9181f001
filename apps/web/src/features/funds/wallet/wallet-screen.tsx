import { Coins, Landmark, Wallet } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { lineOf, type ReceivingMethod } from '@fairlot/contract'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ConfirmDialog } from '@fairlot/ui/overlays/confirm-dialog.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useTranslator } from '../../../i18n/use-translator.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { currencyName, addMethodPath } from '../payout-fields.tsx'
import { removeMethod, useReceivingMethods, type PaymentKind } from '../payment-queries.ts'
import { PaymentScreen } from '../payment-screen.tsx'

/** The receiving methods for withdrawals: how many there are of each kind, with links to their lists. */
export function WalletScreen() {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const count = (rows: readonly unknown[] | undefined) => rows && figures.count(rows.length)
  const coins = count(useReceivingMethods('coin').data)
  const banks = count(useReceivingMethods('bank').data)
  return (
    <PaymentScreen>
      <h2 className="mt-2 text-note text-second">{t('methods')}</h2>
      <Card>
        <div className="-my-3 divide-y divide-line">
          <ListLink icon={Coins} to="/mine/coin-address-list" title={t('coinAddresses')} value={coins} />
          <ListLink icon={Landmark} to="/mine/bank-card-list" title={t('bankAccounts')} value={banks} />
        </div>
      </Card>
      <p className="text-note text-second">{t('addMethodText')}</p>
    </PaymentScreen>
  )
}

export const CoinAddressList = () => <MethodList kind="coin" />
export const BankAccountList = () => <MethodList kind="bank" />

/** The receiving methods of a kind, each with a button that removes it. */
function MethodList({ kind }: { kind: PaymentKind }) {
  const t = useTranslations('payments')
  return (
    <PaymentScreen>
      <Loaded query={useReceivingMethods(kind)}>
        {(methods) =>
          methods.length === 0 ? (
            <EmptyState icon={Wallet} title={t('noMethod')} text={t('noMethodText')} />
          ) : (
            <ul className="flex flex-col gap-3">
              {methods.map((method) => (
                <MethodRow key={method.id} method={method} />
              ))}
            </ul>
          )
        }
      </Loaded>
      <Link to={addMethodPath(kind)} className={buttonClass('ink', undefined, true)}>
        {t(kind === 'coin' ? 'addCoin' : 'addBank')}
      </Link>
    </PaymentScreen>
  )
}

function MethodRow({ method }: { method: ReceivingMethod }) {
  const t = useTranslations('payments')
  const translate = useTranslator()
  const { moments } = useLocale()
  const [now] = useState(Date.now)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const remove = async () => {
    setIsBusy(true)
    // A failure has been shown by then.
    await removeMethod(id).catch(() => undefined)
    setIsBusy(false)
    setIsConfirming(false)
  }
  const { id, currency, address, tag, bankName, payeeName, iban, payeeAccount, remark, usableAt, boundAt } =
    method
  const bankLines = [bankName, payeeName, iban || payeeAccount, ...(remark === '' ? [] : [remark])]
  const coinLines = [
    asName(address),
    ...(tag === '' ? [] : [lineOf(translate, { label: t('coinTag'), value: asName(tag) })]),
  ]
  const lines = address === '' ? bankLines.map(asName) : coinLines
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-surface p-4">
      <span className="min-w-0 flex-[1_1_12rem]">
        <Name className="block font-bold">{currencyName(currency)}</Name>
        {lines.map((line, index) => (
          // Two lines may be equal, if a bank is its own payee.
          <span key={index} className="block text-note break-all">
            <bdi>{withNames(line)}</bdi>
          </span>
        ))}
        <span className="block text-note text-second">
          {withNames(
            usableAt > now
              ? t('usable', { time: asName(moments.dateTime(usableAt)) })
              : t('added', { time: asName(moments.dateTime(boundAt)) }),
          )}
        </span>
      </span>
      <Button tone="outline" size="small" onClick={() => setIsConfirming(true)}>
        {t('remove')}
      </Button>
      <ConfirmDialog
        isOpen={isConfirming}
        isBusy={isBusy}
        title={t('removeTitle')}
        text={t('removeText')}
        confirmLabel={t('remove')}
        cancelLabel={t('keep')}
        onConfirm={() => void remove()}
        onClose={() => setIsConfirming(false)}
      />
    </li>
  )
}
