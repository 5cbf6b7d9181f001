import type { WithdrawalView } from '@fairlot/contract'
import { fractionDigits } from '@fairlot/core'
import { useState } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { ConfirmDialog } from '@fairlot/ui/confirm-dialog.tsx'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { currencyName } from '../method-name.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { takeBack, useWithdrawal } from '../payment-queries.ts'
import { RoadSteps } from './road-steps.tsx'

/** One withdrawal: what is on its way, what it costs, and every step with who has it. */
export function WithdrawalRoad({ id }: { id: number }) {
  const t = useTranslations('payments')
  return (
    <>
      <Loaded query={useWithdrawal(id)}>
        {(withdrawal) => (
          <>
            <h2 className="text-title font-bold">{t('withdrawalNumber', { number: String(id) })}</h2>
            <Amounts withdrawal={withdrawal} />
            <Card>
              <RoadSteps withdrawal={withdrawal} />
            </Card>
            <Card>
              <Facts withdrawal={withdrawal} />
            </Card>
            {withdrawal.status === 'waiting' && <TakeBack id={id} />}
            <p className="text-note text-second">{t('promise')}</p>
          </>
        )}
      </Loaded>
      <Link to="/mine/withdraw" className={buttonClass('outline', undefined, true)}>
        {t('backToList')}
      </Link>
    </>
  )
}

/** Digits after the point that are always shown. */
const SHOWN = 2

const RECEIVED = {
  waiting: 'onItsWay',
  approved: 'onItsWay',
  paid: 'received',
  rejected: 'wouldHave',
  cancelled: 'wouldHave',
} as const

function Amounts({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const { figures } = useLocale()
  const { amount, fee, received, currency, status } = withdrawal
  return (
    <Card>
      <dl className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <dt className="text-tiny text-second">{t(RECEIVED[status])}</dt>
          <dd className="text-figure font-bold">
            <bdi dir="ltr">
              {figures.paidOut(received, { shown: Math.max(SHOWN, fractionDigits(String(received))) })}{' '}
              {currency.code}
            </bdi>
          </dd>
        </div>
        <div>
          <dt className="text-tiny text-second">{t('asked')}</dt>
          <dd className="font-bold">
            <bdi dir="ltr">{figures.money(amount)}</bdi>
          </dd>
        </div>
        <div>
          <dt className="text-tiny text-second">{t('fee')}</dt>
          <dd className="font-bold">
            <bdi dir="ltr">{figures.money(fee)}</bdi>
          </dd>
        </div>
      </dl>
    </Card>
  )
}

function Facts({ withdrawal }: { withdrawal: WithdrawalView }) {
  const t = useTranslations('payments')
  const { address, payeeAccount, currency, memo, reference } = withdrawal
  const facts = [
    { label: t('currency'), value: currencyName(currency) },
    { label: t('boundTo'), value: <Whole text={address || payeeAccount} /> },
    { label: t('reference'), value: reference && <Whole text={reference} /> },
    { label: t('memoShown'), value: memo },
  ]
  return <FactList facts={facts.filter(({ value }) => value !== '')} />
}

/** An address or number, to the last sign. */
const Whole = ({ text }: { text: string }) => (
  <bdi dir="ltr" className="break-all">
    {text}
  </bdi>
)

/** While nobody has decided, the user may change their mind. */
function TakeBack({ id }: { id: number }) {
  const t = useTranslations('payments')
  const [isOpen, setIsOpen] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const confirm = async () => {
    setIsBusy(true)
    // What went wrong has been shown.
    await takeBack(id).catch(() => undefined)
    setIsBusy(false)
    setIsOpen(false)
  }
  return (
    <>
      <Button tone="outline" isWide onClick={() => setIsOpen(true)}>
        {t('takeBack')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        isBusy={isBusy}
        title={t('takeBackTitle')}
        text={t('takeBackText')}
        confirmLabel={t('takeBack')}
        cancelLabel={t('keep')}
        onConfirm={() => void confirm()}
        onClose={() => setIsOpen(false)}
      />
    </>
  )
}
