import { CallError } from '@fairlot/contract'
import { decimalText, fromUnits, MONEY_DECIMALS } from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { resetAccount } from '../../../live/account/orders.ts'
import { showFailure } from '../../../live/requests/request.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { AmountField, readAmount } from '../../../ui/amount-field.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { asName } from '@fairlot/ui/figures/names.tsx'

/** Resets a demo account after a confirmation, to the starting balance that its user chooses there. */
export function ResetDemo() {
  const t = useTranslations()
  const [isConfirming, setIsConfirming] = useState(false)
  const start = useStart()
  const reset = useMutation({
    mutationFn: resetAccount,
    onSuccess: () => close(),
    onError: (error) => {
      if (!(error instanceof CallError)) throw error
      if (error.failure.reason === 'demoBalanceOutOfRange') return start.reject(error.failure.message)
      showFailure(error.failure)
      setIsConfirming(false)
    },
  })
  const close = () => {
    start.clear()
    setIsConfirming(false)
  }
  return (
    <>
      <Button tone="outline" onClick={() => setIsConfirming(true)}>
        {t('user.reset')}
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={t('user.resetTitle')}
        text={
          <>
            <p className="mb-3">{t('user.resetText')}</p>
            {start.field}
          </>
        }
        confirmLabel={t('user.resetConfirm')}
        cancelLabel={t('app.cancel')}
        tone="danger"
        isBusy={reset.isPending}
        onConfirm={() => {
          const amount = start.read()
          if (amount !== undefined) reset.mutate(amount)
        }}
        onClose={close}
      />
    </>
  )
}

/** The field for the starting balance; without the deployment's limits there is none, and the default is restored. */
function useStart() {
  const t = useTranslations('user')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const [typed, setTyped] = useKeptState<string | null>('demo balance', null)
  const [problem, setProblem] = useState<string>()
  const text = typed ?? (info ? decimalText(fromUnits(info.demoBalance, MONEY_DECIMALS)) : '')
  const limits = info && {
    min: asName(figures.publicMoney(info.demoBalanceMin)),
    max: asName(figures.publicMoney(info.demoBalanceMax)),
  }
  return {
    reject: setProblem,
    clear: () => {
      setTyped(null)
      setProblem(undefined)
    },
    /** The amount as typed; null for the default, undefined after showing that it is not possible. */
    read: () => {
      if (!info || typed === null) return null
      const amount = readAmount(typed)
      if (amount !== null && amount >= info.demoBalanceMin && amount <= info.demoBalanceMax) return amount
      setProblem(limits && t('resetRange', limits))
      return undefined
    },
    field: limits && (
      <AmountField
        label={t('resetAmount')}
        value={text}
        hint={t('resetRange', limits)}
        problem={problem}
        onChange={(next) => {
          setTyped(next)
          setProblem(undefined)
        }}
      />
    ),
  }
}
