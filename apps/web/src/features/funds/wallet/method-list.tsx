import type { ReceivingMethod } from '@fairlot/contract'
import { Wallet } from 'lucide-react'
import { useState } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/button.tsx'
import { ConfirmDialog } from '@fairlot/ui/confirm-dialog.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { currencyName } from '../method-name.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { PaymentScreen } from '../payment-screen.tsx'
import { removeMethod, useReceivingMethods, type Way } from '../payment-queries.ts'
import { bindPath } from '../withdraw/method-field.tsx'

export const CoinAddressList = () => <MethodList kind="coin" />
export const BankAccountList = () => <MethodList kind="bank" />

/** What is bound of a kind; each can be removed. */
function MethodList({ kind }: { kind: Way }) {
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
      <Link to={bindPath(kind)} className={buttonClass('ink', undefined, true)}>
        {t(kind === 'coin' ? 'addCoin' : 'addBank')}
      </Link>
    </PaymentScreen>
  )
}

function MethodRow({ method }: { method: ReceivingMethod }) {
  const t = useTranslations('payments')
  const { moments } = useLocale()
  const [now] = useState(Date.now)
  const [isAsked, setIsAsked] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const remove = async () => {
    setIsBusy(true)
    // What went wrong has been shown.
    await removeMethod(id).catch(() => undefined)
    setIsBusy(false)
    setIsAsked(false)
  }
  const { id, currency, address, bankName, payeeName, iban, payeeAccount, usableAt, boundAt } = method
  const lines = address === '' ? [bankName, payeeName, iban || payeeAccount] : [address]
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-surface p-4">
      <span className="min-w-0 flex-[1_1_12rem]">
        <span className="block font-bold">{currencyName(currency)}</span>
        {lines.map((line, place) => (
          // A bank may pay itself: two lines may be the same.
          <span key={place} className="block text-note break-all">
            <bdi>{line}</bdi>
          </span>
        ))}
        <span className="block text-note text-second">
          {usableAt > now
            ? t('usable', { time: moments.dateTime(usableAt) })
            : t('added', { time: moments.dateTime(boundAt) })}
        </span>
      </span>
      <Button tone="outline" size="small" onClick={() => setIsAsked(true)}>
        {t('remove')}
      </Button>
      <ConfirmDialog
        isOpen={isAsked}
        isBusy={isBusy}
        title={t('removeTitle')}
        text={t('removeText')}
        confirmLabel={t('remove')}
        cancelLabel={t('keep')}
        onConfirm={() => void remove()}
        onClose={() => setIsAsked(false)}
      />
    </li>
  )
}
